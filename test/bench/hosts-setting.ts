import { natsProgram } from "../../scripts/servers/nats-program.ts";
import { linkAddress } from "../../server/link/index.ts";
import type { Link } from "../../server/link/link.ts";
import { connectNats } from "../../server/link/nats-link.ts";
import { until } from "../editor/harness/until.ts";
import { HostClient, type HostOptions } from "../host-client.ts";
import { Nats } from "../servers/nats.ts";
import { Postgres, query } from "../servers/postgres.ts";

/** So long that no load of the machine makes a host lose its teams, or makes others count it as lost; in seconds. */
const LEASE = 60;
/** Also a host that is stopped for long does not count as lost. */
const SILENCE = 600;
/** What a host logs when it is told of the runs of others. */
const JOINED = "Other hosts of the store reach this one on the link";

/** How long a round trip of the link may take, in milliseconds. */
const LATEST = 30_000;

/** PostgreSQL and NATS on this machine, and hosts that share them as their store and their link. */
export class HostsSetting implements AsyncDisposable {
  readonly #postgres: Postgres;
  readonly #link: string;
  readonly #parts: AsyncDisposableStack;

  private constructor(postgres: Postgres, link: string, parts: AsyncDisposableStack) {
    this.#postgres = postgres;
    this.#link = link;
    this.#parts = parts;
  }

  /** @throws one sentence that says what to install. */
  static async start(): Promise<HostsSetting> {
    await using parts = new AsyncDisposableStack();
    const nats = parts.use(await Nats.start(await natsProgram()));
    const postgres = parts.use(await Postgres.start());
    return new HostsSetting(postgres, nats.url({ silence: SILENCE }), parts.move());
  }

  /** A client of a host of its own, which shares teams with the hosts of the same space. The host ends with the setting. */
  async host(options: HostOptions = {}, space = "gavel"): Promise<HostClient> {
    const store = `${this.#postgres.url}?lease=${LEASE}&space=${space}`;
    const link = `${this.#link}&space=${space}`;
    const client = this.#parts.use(await HostClient.start({ store, link, unchecked: true, ...options }));
    await until(
      "the host has joined the link",
      () => client.logs.some((line) => line.message.startsWith(JOINED)) || undefined,
    );
    return client;
  }

  /** The id of a host that runs a team now. @throws when none does. */
  async owner(): Promise<string> {
    const [run] = await query(this.#postgres.url, "SELECT host FROM gavel.runs");
    if (run === undefined) throw new Error("No host runs a team.");
    return String(run["host"]);
  }

  /** A connection of this process to the link. */
  async connect(): Promise<HostsLink> {
    const address = linkAddress(this.#link);
    return new HostsLink(await connectNats(address), address.space);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync();
  }
}

/** The link, as this process has it. */
class HostsLink implements AsyncDisposable {
  readonly #link: Link;
  readonly #space: string;

  constructor(link: Link, space: string) {
    this.#link = link;
    this.#space = space;
  }

  /** Milliseconds of one round trip to a host: a request that the host's own connection answers at once. */
  async roundTrip(host: string): Promise<number> {
    const started = performance.now();
    const answer = await this.#link.request(`${this.#space}.hosts.at.${host}`, new Uint8Array(), LATEST);
    if (answer === undefined) throw new Error("The host does not answer on the link.");
    return performance.now() - started;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#link.close();
  }
}
