import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { createConnection, type InitializeParams } from "vscode-languageserver/node";
import { TeamEventNotification } from "../../../../shared/contract/client-requests.ts";
import type { TeamEvent } from "../../../../shared/contract/event.ts";
import { Host, type NewClient } from "../../host.ts";
import { OpenRequests } from "../requests/open-requests.ts";
import { bindTeamRequests } from "../requests/team-requests.ts";

/**
 * A process with a host and its client. It discards teams that have waiting messages, and prints as JSON what became of the
 * messages' requests and which teams are still in memory after garbage collections. Needs --expose-gc.
 */
const { gc } = globalThis;
if (gc === undefined) throw new Error("Start this process with --expose-gc.");
// It ends when its stdin does: when its parent is gone.
process.stdin.resume().on("end", () => process.exit());

const { client, host } = hostAndClient();
const seen: TeamEvent[] = [];
const listeners = new Set<() => void>();
client.onNotification(TeamEventNotification.method, ({ event }) => {
  seen.push(event);
  for (const listener of listeners) listener();
});

/** What each request for a waiting message resolved or was rejected with. */
const answers: Record<string, unknown[]> = {};
const teams: Record<string, WeakRef<object>[]> = {};

await stopWhileMessagesWait("deleted");
await client.sendRequest("team/delete", { teamId: "deleted" });
await stopWhileMessagesWait("redefined");
await client.sendRequest("team/open", { teamId: "redefined", definition: definition("Another name") });
await stopWhileMessagesWait("kept");

const inMemory = (id: string): number => (teams[id] ?? []).filter((team) => team.deref() !== undefined).length;
// A collection may need several turns of the event loop, since a turn keeps what it has looked at.
for (let round = 0; round < 50 && inMemory("deleted") + inMemory("redefined") > 0; round++) {
  await nextTurn();
  gc();
}
const left = Object.fromEntries(Object.keys(teams).map((id) => [id, inMemory(id)]));
process.stdout.write(`${JSON.stringify({ answers, left })}\n`, () => process.exit());

/** Opens a team, starts a run, sends it messages that wait, and interrupts it. */
async function stopWhileMessagesWait(teamId: string): Promise<void> {
  await client.sendRequest("team/open", { teamId, definition: definition(teamId) });
  teams[teamId] = [await (await host.sessions.get(teamId)).read((team) => new WeakRef(team))];
  const speaking = eventOf("message/chunk");
  const run = client.sendRequest("team/run", { teamId, task: "go" });
  await speaking;
  const queued = eventOf("userMessage/queued", 2);
  const open = ["queue", "steer"].map((delivery) =>
    client
      .sendRequest("team/sendUserMessage", { teamId, to: "bob", messages: "Be brief.", delivery })
      .catch((error: unknown) => error),
  );
  answers[teamId] = [];
  for (const request of open) void request.then((answer) => answers[teamId]?.push(answer));
  await queued;
  await client.sendRequest("team/interrupt", { teamId });
  await run;
}

function eventOf(type: TeamEvent["type"], count = 1): Promise<void> {
  const from = seen.length;
  return new Promise((resolve) => {
    const look = (): void => {
      if (seen.slice(from).filter((event) => event.type === type).length < count) return;
      listeners.delete(look);
      resolve();
    };
    listeners.add(look);
  });
}

function definition(name: string): unknown {
  return {
    name,
    kind: "roundRobin",
    participants: [{ name: "ann" }, { name: "bob" }],
    models: { default: { provider: "practice", pace: 100, lines: { ann: ["word ".repeat(10_000)] } } },
  };
}

function hostAndClient(): { client: MessageConnection; host: Host } {
  const requests = new OpenRequests();
  const toHost = new PassThrough();
  const toClient = new PassThrough();
  const connection = createConnection(new StreamMessageReader(toHost), new StreamMessageWriter(toClient));
  const params: InitializeParams = { processId: null, rootUri: null, capabilities: {}, workspaceFolders: null };
  const tell: NewClient["tell"] = (teamId, event) => void connection.sendNotification("team/event", { teamId, event });
  const first = { user: { id: "user", name: "user" }, connection, tell, params };
  const made = new Host(first, {}, { endRequests: (teamId, error) => requests.endThoseOf(teamId, error) });
  bindTeamRequests(
    {
      connection,
      requests,
      client: () => made.clients.now,
      reportBug: (bug) => void process.stderr.write(bug),
      settled: (teamId) => made.publisher.settled(teamId),
    },
    () => made,
  );
  connection.listen();
  const peer = createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toHost));
  peer.listen();
  return { client: peer, host: made };
}
