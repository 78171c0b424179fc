import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import {
  delta,
  finished,
  type RawEndpoint,
  rawEndpoint,
  sendStream,
} from "../../server/models/testing/raw-endpoint.ts";
import { RawHost, type RawMessage } from "./raw-host.ts";

/** JSON of a map in maps, `levels` deep. */
const deepJson = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
const deep = (levels: number): unknown => JSON.parse(deepJson(levels));

/** Deeper than what can be stored, than a value may be, and as deep as a value may be. */
const BEYOND = [20_000, 150] as const;
const DEEPEST = 100;

const TOOL = { name: "look", description: "Looks.", inputSchema: { type: "object" } };

/** A message with a deep value in it: `JSON.stringify` would overflow the stack. */
const sendDeep = (host: RawHost, message: object, levels: number): void => {
  const body = JSON.stringify(message).replace('"DEEP"', deepJson(levels));
  host.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};

const StatusOf = z.object({ status: z.object({ code: z.string(), message: z.string().optional() }) });
const Pending = z.object({ pendingTools: z.array(z.object({ ref: z.string() })) });

class Deep implements AsyncDisposable {
  readonly host = new RawHost();
  #endpoint: RawEndpoint | undefined;

  /** A host with two teams, `t` and `other`, whose participants call the tool `look` once and then say "Done.". */
  async start(approval: "ask" | "never", args: () => unknown = () => "{}"): Promise<void> {
    const endpoint = await rawEndpoint((response) => {
      const body = endpoint.requests.at(-1)?.body ?? "";
      if (body.includes('"role":"tool"')) return sendStream(response, delta({ content: "Done." }), finished);
      const call = { index: 0, id: "call_0", function: { name: "look", arguments: args() } };
      const event = JSON.stringify(delta({ tool_calls: [call] })).replace('"DEEP"', deepJson(20_000));
      return sendStream(response, event, finished);
    });
    this.#endpoint = endpoint;
    await this.host.request("initialize", { capabilities: {} });
    this.host.send({ jsonrpc: "2.0", method: "initialized", params: {} });
    await this.host.request("tools/register", { tools: [{ ...TOOL, approval }] });
    const definition = {
      name: "Deep",
      kind: "roundRobin",
      participants: [{ name: "ann", tools: ["look"], reflectOnToolUse: true }],
      models: { default: { provider: "openai", model: "m", baseUrl: endpoint.url, maxRetries: 0 } },
      maxTurns: 1,
    };
    for (const teamId of ["t", "other"]) await this.host.request("team/open", { teamId, definition });
  }

  /** The bodies of the requests to the model. */
  get asked(): readonly string[] {
    return this.#endpoint?.requests.map(({ body }) => body) ?? [];
  }

  /** Runs the team until its call waits for the user; returns its ref. */
  async untilPending(): Promise<string> {
    await this.host.request("team/run", { teamId: "t", task: "Go" });
    const { result } = await this.host.request("team/inspect", { teamId: "t" });
    return Pending.parse(result).pendingTools[0]?.ref ?? "";
  }

  /** What was accepted can be read, saved, and loaded again. */
  async assertReadable(): Promise<void> {
    const events = await this.host.request("team/events", { teamId: "t" });
    assert.equal(events.error, undefined);
    const { result: state, error } = await this.host.request("team/saveState", { teamId: "t" });
    assert.equal(error, undefined);
    assert.equal((await this.host.request("team/loadState", { teamId: "t", state })).error, undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host[Symbol.asyncDispose]();
    await this.#endpoint?.[Symbol.asyncDispose]();
  }
}

const isCall = ({ method }: RawMessage): boolean => method === "tools/call";

/** Answers the client's tool with a value of that depth. */
async function answerCall(host: RawHost, levels: number, as: "output" | "interrupt" = "output"): Promise<void> {
  const call = await host.message(isCall);
  sendDeep(host, { jsonrpc: "2.0", id: call.id, result: { [as]: "DEEP" } }, levels);
}

test("arguments that an endpoint sends as a deep object are refused to the model", async () => {
  await using it = new Deep();
  await it.start("never", () => "DEEP");
  const { result } = await it.host.request("team/run", { teamId: "t", task: "Go" });
  assert.equal(StatusOf.parse(result).status.code, "success", JSON.stringify(result));
  assert.match(it.asked[1] ?? "", /nested too deep, so the tool was not run/);
  await it.assertReadable();
});

for (const levels of BEYOND) {
  for (const as of ["output", "interrupt"] as const) {
    test(`a client tool's ${as} of ${levels} levels becomes one sentence for the model`, async () => {
      await using it = new Deep();
      await it.start("never");
      const run = it.host.request("team/run", { teamId: "t", task: "Go" });
      await answerCall(it.host, levels, as);
      assert.equal(StatusOf.parse((await run).result).status.code, "success");
      assert.match(it.asked[1] ?? "", /nested more than \d+ levels deep/);
      await it.assertReadable();
    });
  }

  for (const [what, answer] of [
    ["answer", { respond: [{ ref: "REF", output: "DEEP" }] }],
    ["edited input", { restart: [{ ref: "REF", input: "DEEP" }] }],
    ["metadata", { restart: [{ ref: "REF", metadata: { a: "DEEP" } }] }],
  ] as const) {
    test(`an ${what} of ${levels} levels is refused, and the call stays pending`, async () => {
      await using it = new Deep();
      await it.start("ask");
      const ref = await it.untilPending();
      const params = JSON.parse(JSON.stringify({ teamId: "t", ...answer }).replace("REF", ref));
      sendDeep(it.host, { jsonrpc: "2.0", id: 1, method: "team/resolveTools", params }, levels);
      const { error } = await it.host.answer(1);
      assert.equal(error?.data?.code, "InvalidParams");
      assert.match(error?.message ?? "", /nested more than \d+ levels deep; make it flatter/);
      await it.assertReadable();
      assert.equal(await it.untilPending(), ref);
    });
  }
}

test("a value as deep as is allowed can be saved and loaded", async () => {
  await using it = new Deep();
  await it.start("ask");
  const ref = await it.untilPending();
  const resolved = it.host.request("team/resolveTools", { teamId: "t", restart: [{ ref, input: deep(DEEPEST) }] });
  await answerCall(it.host, DEEPEST);
  const { error } = await resolved;
  assert.equal(error, undefined);
  await it.assertReadable();
});

for (const [method, params] of [
  ["team/loadState", { teamId: "t", state: { schemaVersion: 2, team: "DEEP" } }],
  ["team/run", { teamId: "t", task: [{ type: "text", text: "DEEP" }] }],
  ["team/open", { teamId: "DEEP" }],
  ["team/open", { definition: "DEEP" }],
  ["team/open", { teamId: "t", extra: "DEEP" }],
  ["team/previewTool", { teamId: "t", ref: "r", input: "DEEP" }],
  ["no/such/method", { a: "DEEP" }],
] as const) {
  test(`${method} with ${JSON.stringify(params)} is answered with one sentence`, async () => {
    await using it = new Deep();
    await it.start("ask");
    sendDeep(it.host, { jsonrpc: "2.0", id: 1, method, params }, 20_000);
    const { error } = await it.host.answer(1);
    assert.ok(error !== undefined);
    assert.doesNotMatch(error.message, /Maximum call stack|RangeError|bug in Gavel/);
    assert.equal((await it.host.request("team/inspect", { teamId: "t" })).error, undefined);
  });
}

test("a text of more than 16,000,000 characters is refused, wherever the client sends it", async () => {
  await using it = new Deep();
  await it.start("ask");
  const text = "x".repeat(16_000_001);
  const { error } = await it.host.request("team/run", { teamId: "t", task: text });
  assert.equal(
    error?.message,
    "Invalid params for team/run: has a text of more than 16,000,000 characters; make it shorter.",
  );
  const ref = await it.untilPending();
  const { error: second } = await it.host.request("team/resolveTools", {
    teamId: "t",
    respond: [{ ref, output: [text.slice(1), "x"] }],
  });
  assert.match(
    second?.message ?? "",
    /: respond\[0\]\.output: has more than 16,000,000 characters; make it shorter\.$/,
  );
});
