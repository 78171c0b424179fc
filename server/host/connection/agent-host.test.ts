import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as pathJoin } from "node:path";
import { duplexPair } from "node:stream";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { TeamEventNotification } from "../../../shared/contract/client-requests.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { AgentHost } from "./agent-host.ts";
import { joinedTransport } from "./joined-transport.ts";

const practice = {
  name: "pair",
  kind: "roundRobin",
  participants: [{ name: "writer" }],
  models: { default: { provider: "practice", pace: 200, lines: { writer: ["word ".repeat(20_000)] } } },
  maxTurns: 1,
};
const tools = {
  ...practice,
  participants: [{ name: "writer", tools: ["where"] }],
  models: {
    default: { provider: "practice", lines: { writer: [{ calls: [{ tool: "where", input: {} }] }, "Done."] } },
  },
};
const where = {
  name: "where",
  description: "Says where.",
  approval: "never",
  inputSchema: { type: "object", properties: {} },
};

/** A client of the host, with what it is told. */
interface Peer {
  readonly client: MessageConnection;
  readonly told: TeamEvent[];
  /** Resolves with the first event of that type, told before or later. */
  event<T extends TeamEvent["type"]>(type: T): Promise<Extract<TeamEvent, { type: T }>>;
  leave(): void;
  /** Resolves when the host knows that it has left. */
  readonly left: Promise<unknown>;
}

async function join(
  host: AgentHost,
  name: string,
  answers: (client: MessageConnection) => void = () => {},
  options: { readonly clientId?: string } = {},
): Promise<Peer> {
  const [near, far] = duplexPair();
  host.connect(joinedTransport(far));
  const client = createMessageConnection(new StreamMessageReader(near), new StreamMessageWriter(near));
  const told: TeamEvent[] = [];
  const waiting = new Set<() => void>();
  client.onNotification(TeamEventNotification.method, ({ event }: { event: TeamEvent }) => {
    told.push(event);
    for (const look of waiting) look();
  });
  client.onUnhandledNotification(() => {});
  answers(client);
  client.listen();
  await client.sendRequest("initialize", {
    processId: 1,
    capabilities: {},
    workspaceFolders: null,
    initializationOptions: { user: { id: name, name }, ...options },
  });
  await client.sendNotification("initialized", {});
  const event: Peer["event"] = (type) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = told.find((one) => one.type === type);
        if (found !== undefined) resolve(found as Extract<TeamEvent, { type: typeof type }>);
      };
      waiting.add(look);
      look();
    });
  return { client, told, event, leave: () => void near.end(), left: once(far, "close") };
}

/** The events with a number, as texts that can be compared. */
const numbered = (told: readonly TeamEvent[]): string[] =>
  told.flatMap((event) => ("seq" in event ? [`${event.seq} ${event.type}`] : []));

test("every client that has opened a team is told its events, and one interrupts what another runs", async () => {
  using host = new AgentHost(undefined);
  const [ann, ben] = [await join(host, "ann"), await join(host, "ben")];
  await ann.client.sendRequest("team/open", { teamId: "t", definition: practice });
  const opened = await ben.client.sendRequest<{ lastSeq: number }>("team/open", { teamId: "t" });
  const run = ann.client.sendRequest<{ stopReason: string }>("team/run", { teamId: "t", task: "Go." });
  await ben.event("message/chunk");
  const receipt = await ben.client.sendRequest<{ partials: { content: string }[] }>("team/interrupt", { teamId: "t" });
  assert.match(receipt.partials[0]?.content ?? "", /^word/);
  assert.equal((await run).stopReason, "USER_INTERRUPT");
  await Promise.all([ann.event("interrupt/completed"), ben.event("interrupt/completed")]);
  const { lastSeq } = await ben.client.sendRequest<{ lastSeq: number }>("team/inspect", { teamId: "t" });
  await ann.client.sendRequest("team/inspect", { teamId: "t" });
  // The team was new for Ann; Ben was given it as it was when he came.
  assert.equal(numbered(ann.told).length, lastSeq);
  assert.deepEqual(numbered(ben.told), numbered(ann.told).slice(opened.lastSeq));
});

test("a run that needs a tool of a client that has gone pauses, and says what it needs", async () => {
  using host = new AgentHost(undefined);
  const called = Promise.withResolvers<void>();
  const ann = await join(host, "ann", (client) =>
    client.onRequest("tools/call", () => {
      called.resolve();
      return new Promise(() => {});
    }),
  );
  const ben = await join(host, "ben");
  await ann.client.sendRequest("tools/register", { tools: [where] });
  await ann.client.sendRequest("team/open", { teamId: "t", definition: tools });
  await ben.client.sendRequest("team/open", { teamId: "t" });
  void ann.client.sendRequest("team/run", { teamId: "t", task: "Where are you?" }).catch(() => {});
  await called.promise;
  ann.leave();
  const { stopReason } = await ben.event("run/ended");
  assert.equal(stopReason, "USER_INTERRUPT");
  const { reason } = await ben.event("interrupt/requested");
  assert.equal(reason, 'It needs the tool "where", which went with a client of ann; continue from another client');
});

test("a request of the host goes to the client whose user acts", async () => {
  using host = new AgentHost(undefined);
  const calls: string[] = [];
  const answering = (name: string) => (client: MessageConnection) =>
    client.onRequest("tools/call", () => {
      calls.push(name);
      return { output: name };
    });
  const ann = await join(host, "ann", answering("ann"));
  const ben = await join(host, "ben", answering("ben"));
  for (const { client } of [ben, ann]) await client.sendRequest("tools/register", { tools: [where] });
  await ann.client.sendRequest("team/open", { teamId: "a", definition: tools });
  await ben.client.sendRequest("team/open", { teamId: "b", definition: tools });
  await ben.client.sendRequest("team/run", { teamId: "b", task: "Where are you?" });
  await ann.client.sendRequest("team/run", { teamId: "a", task: "Where are you?" });
  assert.deepEqual(calls, ["ben", "ann"]);
});

test("a waiting message is answered with what its sender's client supplies, whoever ran the team before", async () => {
  using host = new AgentHost(undefined);
  const calls: string[] = [];
  const goOn = Promise.withResolvers<void>();
  const calling = Promise.withResolvers<void>();
  const ann = await join(host, "ann", (client) =>
    client.onRequest("tools/call", async () => {
      calls.push("ann");
      calling.resolve();
      await goOn.promise;
      return { output: "ann" };
    }),
  );
  const ben = await join(host, "ben", (client) =>
    client.onRequest("tools/call", () => {
      calls.push("ben");
      return { output: "ben" };
    }),
  );
  for (const { client } of [ben, ann]) await client.sendRequest("tools/register", { tools: [where] });
  const { default: model } = tools.models;
  const twice = { ...tools, models: { default: { ...model, asked: model.lines } } };
  await ann.client.sendRequest("team/open", { teamId: "t", definition: twice });
  const run = ann.client.sendRequest("team/run", { teamId: "t", task: "Where are you?" });
  await calling.promise;
  const message = { teamId: "t", to: "writer", messages: "And you?", delivery: "queue" };
  const answer = ben.client.sendRequest("team/sendUserMessage", message);
  await ann.event("userMessage/queued");
  goOn.resolve();
  await Promise.all([run, answer]);
  assert.deepEqual(calls, ["ann", "ben"]);
});

test("a client that leaves ends no run of its own", async () => {
  using host = new AgentHost(undefined);
  const [ann, ben] = [await join(host, "ann"), await join(host, "ben")];
  const short = { ...practice, models: { default: { provider: "practice", lines: { writer: ["All done."] } } } };
  await ann.client.sendRequest("team/open", { teamId: "t", definition: short });
  await ben.client.sendRequest("team/open", { teamId: "t" });
  void ann.client.sendRequest("team/run", { teamId: "t", task: "Go." }).catch(() => {});
  await ben.event("run/started");
  ann.leave();
  const { status } = await ben.event("run/ended");
  assert.equal(status.code, "success");
});

test("the models of a client are used for what its user does", async () => {
  using host = new AgentHost(undefined);
  const asked: string[] = [];
  const speaking = (name: string) => (client: MessageConnection) =>
    client.onRequest("models/stream", async ({ requestId }: { requestId: string }) => {
      asked.push(name);
      await client.sendNotification("models/part", { requestId, parts: [{ type: "text", delta: `I am ${name}'s.` }] });
      return {};
    });
  const [ann, ben] = [await join(host, "ann", speaking("ann")), await join(host, "ben", speaking("ben"))];
  const definition = { ...practice, models: { default: { provider: "vscode" } } };
  await ann.client.sendRequest("team/open", { teamId: "t", definition });
  await ben.client.sendRequest("team/open", { teamId: "t" });
  await ben.client.sendRequest("team/run", { teamId: "t", task: "Who are you?" });
  await ann.client.sendRequest("team/run", { teamId: "t", task: "And you?" });
  const said = ann.told.flatMap((event) => (event.type === "message/added" ? [event.message.content] : []));
  assert.deepEqual(asked, ["ben", "ann"]);
  assert.deepEqual(said, ["Who are you?", "I am ben's.", "And you?", "I am ann's."]);
});

test("a host that ends answers the open requests of all its clients, with everything kept", async () => {
  using host = new AgentHost(undefined);
  const [ann, ben] = [await join(host, "ann"), await join(host, "ben")];
  await ann.client.sendRequest("team/open", { teamId: "t", definition: practice });
  await ben.client.sendRequest("team/open", { teamId: "t" });
  const run = ben.client.sendRequest<{ stopReason: string; messages: { content: string }[] }>("team/run", {
    teamId: "t",
    task: "Go.",
  });
  await ann.event("message/chunk");
  await host.finish();
  const { stopReason, messages } = await run;
  assert.equal(stopReason, "USER_INTERRUPT");
  assert.match(messages.at(-1)?.content ?? "", /^word/);
});

test("a client that returns is asked in the place of the connection that it had, also while that seems to be there", async () => {
  using host = new AgentHost(undefined);
  const asked: string[] = [];
  const goOn = Promise.withResolvers<void>();
  const calling = Promise.withResolvers<void>();
  const twice = {
    ...tools,
    models: {
      default: {
        ...tools.models.default,
        lines: { writer: [...tools.models.default.lines.writer.slice(0, 1), ...tools.models.default.lines.writer] },
      },
    },
  };
  const answering = (name: string) => (client: MessageConnection) =>
    client.onRequest("tools/call", async () => {
      asked.push(name);
      calling.resolve();
      await goOn.promise;
      return { output: name };
    });
  const clientId = "the same client each time";
  const first = await join(host, "ann", answering("first"), { clientId });
  await first.client.sendRequest("tools/register", { tools: [where] });
  await first.client.sendRequest("team/open", { teamId: "t", definition: twice });
  const run = first.client.sendRequest("team/run", { teamId: "t", task: "Where are you?" });
  await calling.promise;
  const second = await join(host, "ann", answering("second"), { clientId });
  await second.client.sendRequest("tools/register", { tools: [where] });
  goOn.resolve();
  await run;
  assert.deepEqual(asked, ["first", "second"]);
});

test("a host without a parent ends when it is idle, and not while a client is connected or a team runs", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const storagePath = mkdtempSync(pathJoin(tmpdir(), "gavel-idle-"));
  t.after(() => rmSync(storagePath, { recursive: true, force: true }));
  using host = new AgentHost(undefined);
  let exits = 0;
  await host.serve({ storagePath, idleMinutes: 1 }, () => {
    exits++;
  });
  const assertGoesOn = async (): Promise<void> => {
    t.mock.timers.tick(600_000);
    // Many times the turns that its end takes.
    for (let turns = 0; turns < 500; turns++) await turn();
    assert.equal(exits, 0);
  };
  const ann = await join(host, "ann");
  await ann.client.sendRequest("team/open", { teamId: "t", definition: practice });
  void ann.client.sendRequest("team/run", { teamId: "t", task: "Go." }).catch(() => {});
  await ann.event("message/chunk");
  await assertGoesOn();
  ann.leave();
  await ann.left;
  await assertGoesOn();
  const ben = await join(host, "ben");
  await ben.client.sendRequest("team/open", { teamId: "t" });
  await ben.client.sendRequest("team/interrupt", { teamId: "t" });
  await assertGoesOn();
  ben.leave();
  await ben.left;
  while (exits === 0) {
    t.mock.timers.tick(60_000);
    await turn();
  }
  assert.equal(exits, 1);
});
