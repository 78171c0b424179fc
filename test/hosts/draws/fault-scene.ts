import { setTimeout as pause } from "node:timers/promises";
import type { RandomInt } from "../../../server/engine/testing/random.ts";
import { oneOf } from "../../faults/harness/user-acts.ts";
import { WorkerProcess } from "../../link/worker-process.ts";
import type { Nats } from "../../servers/nats.ts";
import type { Postgres } from "../../servers/postgres.ts";
import { TcpProxy } from "../../servers/tcp-proxy.ts";
import { workerFile } from "./draw-teams.ts";
import { HostSeat } from "./host-seat.ts";

/** The servers of the draws that run one after the other. */
export interface DrawServers {
  readonly postgres: Postgres;
  readonly nats: Nats;
}

type Way = "store" | "link" | "worker";

/** What happens to a network: how, and between what and the servers. */
const NETWORK_FAULTS = {
  cutStore: ["cut", "store"],
  silenceStore: ["silence", "store"],
  slowStore: ["slow", "store"],
  cutLink: ["cut", "link"],
  silenceLink: ["silence", "link"],
  slowLink: ["slow", "link"],
  cutWorker: ["cut", "worker"],
  silenceWorker: ["silence", "worker"],
  slowWorker: ["slow", "worker"],
} as const satisfies Readonly<Record<string, readonly ["cut" | "silence" | "slow", Way]>>;
type NetworkFault = keyof typeof NETWORK_FAULTS;

/** What happens to a host, to the worker or to a server. */
const PROCESS_FAULTS = ["killHost", "stopHost", "stopWorker", "killWorker", "crashStore", "crashLink"] as const;

export type Fault = NetworkFault | (typeof PROCESS_FAULTS)[number];
export const FAULTS: readonly Fault[] = [
  ...PROCESS_FAULTS,
  ...(Object.keys(NETWORK_FAULTS) as readonly NetworkFault[]),
];

/** The lease of a host, and how long a process may be silent on the link, in seconds. */
const LEASE = 2;
const SILENCE = 2;
/** How much longer each piece takes on a slow network, in milliseconds. */
const SLOW_MS = 40;
/** With more than two, another host than the one that follows a run can take it over. */
const HOSTS = [2, 3] as const;

/** Hosts that share a store and a link, and a worker: all of them with ways of their own to the servers. */
export class FaultScene implements AsyncDisposable {
  readonly seats: readonly HostSeat[];
  /** The workers that there were, the last of which is there. */
  readonly workers: WorkerProcess[] = [];
  readonly #servers: DrawServers;
  readonly #way: TcpProxy;
  readonly #startWorker: () => Promise<WorkerProcess>;

  private constructor(
    servers: DrawServers,
    seats: readonly HostSeat[],
    way: TcpProxy,
    startWorker: () => Promise<WorkerProcess>,
  ) {
    this.#servers = servers;
    this.seats = seats;
    this.#way = way;
    this.#startWorker = startWorker;
  }

  /** `ran` is called each time that a client of a host runs a call. */
  static async begin(
    servers: DrawServers,
    teamIds: readonly string[],
    ran: (ref: string) => void,
    random: RandomInt,
  ): Promise<FaultScene> {
    await using parts = new AsyncDisposableStack();
    const way = parts.use(await TcpProxy.to(servers.nats.port));
    // A space of its own: draws share the servers.
    const space = `draw${way.port}`;
    const link = `${servers.nats.url({ silence: SILENCE })}&space=${space}`;
    const store = `${servers.postgres.url}?lease=${LEASE}&space=${space}`;
    const linkBy = (proxy: TcpProxy): string => proxy.wayTo(link);
    const storeBy = (proxy: TcpProxy): string => proxy.wayTo(store);
    const startWorker = (): Promise<WorkerProcess> => WorkerProcess.start({ link: linkBy(way), file: workerFile });
    const ports = { store: servers.postgres.port, link: servers.nats.port };
    const seats: HostSeat[] = [];
    const count = oneOf(HOSTS, random);
    for (let number = 0; number < count; number++)
      seats.push(parts.use(await HostSeat.take({ number, ports, storeBy, linkBy, teamIds, ran })));
    const scene = new FaultScene(servers, seats, way, startWorker);
    scene.workers.push(await startWorker());
    parts.move();
    return scene;
  }

  /** Something fails, and is repaired after so many milliseconds. */
  async fail(fault: Fault, ms: number, random: RandomInt): Promise<void> {
    const seat = oneOf(this.seats, random);
    const worker = this.workers.at(-1);
    switch (fault) {
      case "killHost":
        await seat.kill();
        await pause(ms);
        await seat.start();
        return;
      case "stopHost":
        return stopped(seat.client, ms);
      case "stopWorker":
        return stopped(worker, ms);
      case "killWorker":
        await worker?.kill();
        await pause(ms);
        this.workers.push(await this.#startWorker());
        return;
      case "crashStore":
      case "crashLink": {
        const server = fault === "crashStore" ? this.#servers.postgres : this.#servers.nats;
        await server.crash();
        await pause(ms);
        await server.restart();
        return;
      }
      default:
        return failing(fault, { store: seat.store, link: seat.link, worker: this.#way }, ms);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const part of [...this.seats, ...this.workers, this.#way]) await part[Symbol.asyncDispose]();
  }
}

async function failing(fault: NetworkFault, ways: Readonly<Record<Way, TcpProxy>>, ms: number): Promise<void> {
  const [how, where] = NETWORK_FAULTS[fault];
  const way = ways[where];
  if (how === "slow") way.slow(SLOW_MS);
  else way[how]();
  await pause(ms);
  way.heal();
}

async function stopped(one: { readonly process: { kill(signal: NodeJS.Signals): boolean } } | undefined, ms: number) {
  one?.process.kill("SIGSTOP");
  await pause(ms);
  one?.process.kill("SIGCONT");
}
