import type { TestContext } from "node:test";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import { until } from "../editor/harness/until.ts";
import { HostClient } from "../host-client.ts";
import { type Nats, startNats } from "../servers/nats.ts";
import { emptyDatabase } from "../servers/postgres.ts";
import { TcpProxy } from "../servers/tcp-proxy.ts";

const WORDS = "word ".repeat(20_000);

/** A team that talks for minutes. */
export const talker: TeamDefinition = {
  name: "Talk",
  kind: "roundRobin",
  participants: [{ name: "ann" }, { name: "bob" }],
  models: { default: { provider: "practice", pace: 5, lines: { ann: [WORDS], bob: ["Hello.", "Hello again."] } } },
  maxTurns: 2,
};

/** What a host logs when others reach it. */
const JOINED = /^Other hosts of the store reach this one on the link /;

/** Clients of hosts that share a store, and a link. */
export interface LinkedHosts extends AsyncDisposable {
  readonly clients: readonly HostClient[];
  /** What each client was told of interrupts: the ids of their teams. */
  readonly received: readonly (readonly string[])[];
  /** The address of the store, and of the link. */
  readonly store: string;
  readonly link: string;
  readonly nats: Nats;
  /** How the first host reaches the store. */
  readonly firstToStore: TcpProxy;
}

/** Undefined, with the test skipped, where PostgreSQL or NATS cannot be had. */
export async function hostsOnLink(
  context: TestContext,
  count: number,
  /** In seconds. */
  { lease = 60, silence = 120 }: { readonly lease?: number; readonly silence?: number } = {},
): Promise<LinkedHosts | undefined> {
  const database = await emptyDatabase(context);
  const nats = database === undefined ? undefined : await startNats(context);
  if (database === undefined || nats === undefined) return undefined;
  const [store, link] = [`${database}?lease=${lease}`, nats.url({ silence })];
  const firstToStore = await TcpProxy.to(Number(new URL(store).port));
  const clients: HostClient[] = [];
  const received: string[][] = [];
  const hosts: LinkedHosts = {
    clients,
    received,
    store,
    link,
    nats,
    firstToStore,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
      await firstToStore[Symbol.asyncDispose]();
    },
  };
  try {
    for (let nth = 0; nth < count; nth++) {
      const user = { id: `user${nth}`, name: `User ${nth}` };
      const own: string[] = [];
      received.push(own);
      const onInterruptReceived = (teamId: string): void => void own.push(teamId);
      const address = nth === 0 ? firstToStore.wayTo(store) : store;
      clients.push(await HostClient.start({ store: address, link, user, onInterruptReceived }));
    }
    for (const { logs } of clients)
      await until("the host has joined the link", () => logs.some(({ message }) => JOINED.test(message)) || undefined);
    return hosts;
  } catch (error) {
    await hosts[Symbol.asyncDispose]();
    throw error;
  }
}
