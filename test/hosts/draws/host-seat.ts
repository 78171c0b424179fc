import { isDurable, type TeamEvent } from "../../../shared/contract/event.ts";
import { TeamOpen, ToolsRegister } from "../../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../../shared/contract/team.ts";
import { COUNTED_TOOL } from "../../faults/harness/eight-teams.ts";
import { HostClient } from "../../host-client.ts";
import { TcpProxy } from "../../servers/tcp-proxy.ts";
import { teamOf } from "./draw-teams.ts";

export interface SeatOptions {
  readonly number: number;
  /** The ports of the servers, and their addresses by the ways of a host. */
  readonly ports: { readonly store: number; readonly link: number };
  readonly storeBy: (way: TcpProxy) => string;
  readonly linkBy: (way: TcpProxy) => string;
  readonly teamIds: readonly string[];
  /** Called each time that the client of a host here runs a call. */
  readonly ran: (ref: string) => void;
}

/** What one client of a host was told of a team. */
export interface Told {
  readonly opened: TeamSnapshot;
  /** What came after that. */
  readonly events: readonly TeamEvent[];
}

/** The place of a host, with a way of its own to the store and to the link. After a kill another host is started there. */
export class HostSeat implements AsyncDisposable {
  readonly store: TcpProxy;
  readonly link: TcpProxy;
  readonly #options: SeatOptions;
  readonly #opened: { readonly client: HostClient; readonly snapshots: readonly TeamSnapshot[] }[] = [];
  #client: HostClient | undefined;

  private constructor(options: SeatOptions, store: TcpProxy, link: TcpProxy) {
    this.#options = options;
    this.store = store;
    this.link = link;
  }

  static async take(options: SeatOptions): Promise<HostSeat> {
    const { ports } = options;
    const seat = new HostSeat(options, await TcpProxy.to(ports.store), await TcpProxy.to(ports.link));
    await seat.start();
    return seat;
  }

  /** The client of the host that is here now; undefined while there is none. */
  get client(): HostClient | undefined {
    return this.#client;
  }

  /** What the clients of each host here were told of a team, in order. */
  toldOf(teamId: string): readonly Told[] {
    return this.#opened.flatMap(({ client, snapshots }) =>
      snapshots
        .filter((opened) => opened.teamId === teamId)
        .map((opened) => ({ opened, events: client.eventsOf(teamId) })),
    );
  }

  /** The number of the last event of a team that the client of the host here knows. */
  lastTold(teamId: string): number | undefined {
    const last = this.toldOf(teamId).at(-1);
    return last?.events.filter(isDurable).at(-1)?.seq ?? last?.opened.lastSeq;
  }

  async start(): Promise<HostClient> {
    const { number, storeBy, linkBy, teamIds, ran } = this.#options;
    const client = await HostClient.start({
      store: storeBy(this.store),
      link: linkBy(this.link),
      user: { id: `user${number}`, name: `User ${number}` },
      onToolCall: ({ ref }) => {
        ran(ref);
        return { output: "recorded" };
      },
    });
    const tool = { name: COUNTED_TOOL, description: "Records.", inputSchema: {}, approval: "never" as const };
    await client.send(ToolsRegister, { tools: [tool] });
    const snapshots: TeamSnapshot[] = [];
    this.#opened.push({ client, snapshots });
    this.#client = client;
    for (const teamId of teamIds) snapshots.push(await client.send(TeamOpen, { teamId, definition: teamOf(teamId) }));
    return client;
  }

  async kill(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.store[Symbol.asyncDispose]();
    await this.link[Symbol.asyncDispose]();
  }
}
