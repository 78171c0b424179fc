import type { Duplex } from "node:stream";
import { messageOf } from "../../../../shared/contract/errors.ts";
import type { User } from "../../../../shared/contract/people.ts";
import { HostRefusedError } from "../../../../socket/ask-host.ts";
import { type Channels, isNodeId, type Link, secureOpened } from "../../../link/index.ts";
import type { HostIdentity } from "../../store/host-identity.ts";
import type { ActingClient, HostParts } from "../host-parts.ts";
import { HostConnection } from "./host-connection.ts";

/** How long another host may take to say that it is there, in milliseconds. */
const ANSWER_MS = 2_000;
/** For how long one that cannot be reached, or refuses, is not tried again, in milliseconds. */
const RETRY_MS = 2_000;

export interface HostConnectionsOptions {
  readonly link: Link;
  readonly channels: Channels;
  readonly parts: Pick<HostParts, "converse" | "log">;
  /** Where a host says which node of the link it is. */
  readonly subjectOf: (host: string) => string;
}

/** What a connection is for. */
export interface ConnectionUse {
  /** The client that acts; empty for what follows teams. */
  readonly client: string;
  readonly user: User;
  readonly program: string;
  readonly notified: (method: string, params: unknown) => void;
  readonly isUsed: () => boolean;
  readonly closed?: () => void;
}

/** The connections of this host to others: to each of them one for each client that acts there, and one to follow teams. */
export class HostConnections {
  readonly #options: HostConnectionsOptions;
  /** By the id of the host, and of the client. */
  readonly #open = new Map<string, Promise<HostConnection | undefined>>();
  /** Until when what is not tried again: a host that is not reached, or one client of it that is refused. */
  readonly #resting = new Map<string, number>();

  constructor(options: HostConnectionsOptions) {
    this.#options = options;
  }

  /** The connection to another host; undefined if that cannot be reached, or refuses. */
  to(owner: HostIdentity, use: ConnectionUse): Promise<HostConnection | undefined> {
    const key = `${owner.id}/${use.client}`;
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const forget = (): void => {
      if (this.#open.get(key) === opening) this.#open.delete(key);
    };
    const closed = (): void => {
      forget();
      use.closed?.();
    };
    const opening = this.#connect(owner, key, { ...use, closed });
    this.#open.set(key, opening);
    void opening.then((connection) => {
      if (connection === undefined) forget();
    });
    return opening;
  }

  /** Nothing more is done in that client's name. */
  left(client: ActingClient): void {
    for (const [key, connection] of this.#open)
      if (key.endsWith(`/${client.id}`)) void connection.then((open) => open?.close());
  }

  async #connect(
    owner: HostIdentity,
    key: string,
    use: ConnectionUse & { readonly closed: () => void },
  ): Promise<HostConnection | undefined> {
    const now = performance.now();
    for (const [what, until] of this.#resting) if (until <= now) this.#resting.delete(what);
    if (this.#resting.has(owner.id) || this.#resting.has(key)) return undefined;
    let refused = owner.id;
    try {
      const stream = await this.#reach(owner);
      const { converse } = this.#options.parts;
      const connection = stream && (await HostConnection.open({ stream, converse, ...use }));
      if (connection !== undefined) return connection;
    } catch (error) {
      this.#options.parts.log.warn(`Another agent host cannot be used: ${messageOf(error)}`);
      // It is there, and may take others.
      if (error instanceof HostRefusedError) refused = key;
    }
    this.#resting.set(refused, performance.now() + RETRY_MS);
    return undefined;
  }

  async #reach({ id, key }: HostIdentity): Promise<Duplex | undefined> {
    const { link, channels, subjectOf } = this.#options;
    const node = Buffer.from((await link.request(subjectOf(id), new Uint8Array(), ANSWER_MS)) ?? []).toString();
    // Anyone on the link could have answered.
    return isNodeId(node) ? secureOpened(channels.open(node), Buffer.from(key, "hex")) : undefined;
  }
}
