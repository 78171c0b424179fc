import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ended, geminiAt, parts, sendChunks } from "../../server/models/testing/gemini-stream.ts";
import { type RawEndpoint, rawEndpoint, startStream } from "../../server/models/testing/raw-endpoint.ts";
import type { ToolDeclaration } from "../../shared/contract/definition.ts";
import { TeamInterrupt, TeamOpen, TeamResolveTools, TeamRun, ToolsRegister } from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";
import { begunRun } from "./harness/begun-run.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { roundRobin } from "./harness/teams.ts";

const lookUp: ToolDeclaration = {
  name: "lookUp",
  description: "Looks up a word.",
  inputSchema: { type: "object", properties: { word: { type: "string" } } },
};

/** The body of the request at an index. */
const bodyAt = ({ requests }: RawEndpoint, at: number) => JSON.parse(requests[at]?.body ?? "{}");

const user = (...all: readonly object[]) => ({ role: "user", parts: all });
const model = (...all: readonly object[]) => ({ role: "model", parts: all });
const GO = { text: "user said:\ngo" };

describe("a model behind the Gemini API", () => {
  it("takes its turn through the official SDK, and its usage is counted", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const usage = { promptTokenCount: 12, candidatesTokenCount: 3 };
    endpoint.mock.on({}, { content: "ann speaks", usage });
    // The address may name a version of the API.
    const gemini = geminiAt(`${endpoint.mock.url}/v1beta`);
    const definition = roundRobin({ names: ["ann"], model: gemini, maxTurns: 1 });
    await host.send(TeamOpen, { teamId: "t", definition });
    const result = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(result.status.code, "success", result.status.message);
    assert.equal(result.messages.at(-1)?.content, "ann speaks");
    assert.deepEqual(result.usage, { prompt: 12, completion: 3, total: 15 });
  });

  it("gets its signatures back with the results of its calls, step by step, also after the user was asked", async () => {
    await using endpoint = await rawEndpoint((response, count) => {
      if (count === 1) {
        const first = { functionCall: { id: "c1", name: "lookUp", args: { word: "a" } }, thoughtSignature: "c2lnMQ==" };
        const thought = parts({ text: "Two words.", thought: true });
        sendChunks(response, thought, parts(first, { functionCall: { name: "lookUp", args: { word: "b" } } }), ended());
      } else if (count === 2) {
        sendChunks(response, parts({ functionCall: { name: "askUser" }, thoughtSignature: "c2lnMg==" }), ended());
      } else sendChunks(response, parts({ text: "Done." }), ended());
    });
    await using host = await HostClient.start({
      onToolCall: async ({ input }) => ({ output: `found ${JSON.stringify(input)}` }),
    });
    const askUser: ToolDeclaration = { ...lookUp, name: "askUser", interrupt: true };
    await host.send(ToolsRegister, { tools: [lookUp, askUser] });
    const participants = { tools: ["lookUp", "askUser"], maxToolIterations: 5 };
    const gemini = geminiAt(endpoint.url, { reasoning: { effort: "low" } });
    const definition = roundRobin({ names: ["ann"], model: gemini, maxTurns: 1, participants });
    await host.send(TeamOpen, { teamId: "t", definition });

    const paused = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(paused.stopReason, "TOOL_INTERRUPT", paused.status.message);
    const thought = host.eventsOf("t").find(({ type }) => type === "reasoning/thought");
    assert.ok(thought?.type === "reasoning/thought");
    assert.equal(thought.message, "Two words.");
    const asked = host.eventsOf("t").find(({ type }) => type === "tool/interrupted");
    assert.ok(asked?.type === "tool/interrupted");
    const respond = [{ ref: asked.ref, output: "the second" }];
    const { result } = await host.send(TeamResolveTools, { teamId: "t", respond });

    assert.equal(result?.messages.at(-1)?.content, "Done.");
    const { generationConfig, contents } = bodyAt(endpoint, 1);
    assert.deepEqual(generationConfig, { thinkingConfig: { includeThoughts: true, thinkingLevel: "LOW" } });
    const first = [
      user(GO),
      model(
        { functionCall: { id: "c1", name: "lookUp", args: { word: "a" } }, thoughtSignature: "c2lnMQ==" },
        { functionCall: { name: "lookUp", args: { word: "b" } } },
      ),
      user(
        { functionResponse: { id: "c1", name: "lookUp", response: { output: 'found {"word":"a"}' } } },
        { functionResponse: { name: "lookUp", response: { output: 'found {"word":"b"}' } } },
      ),
    ];
    assert.deepEqual(contents, first);
    assert.deepEqual(bodyAt(endpoint, 2).contents, [
      ...first,
      model({ functionCall: { name: "askUser", args: {} }, thoughtSignature: "c2lnMg==" }),
      user({ functionResponse: { name: "askUser", response: { output: "the second" } } }),
    ]);
  });

  it("interrupted in mid-text: the request is closed, the text is kept, and the next request continues it", async () => {
    await using endpoint = await rawEndpoint((response, count) => {
      if (count === 1) startStream(response, parts({ text: "Once upon a time" }));
      else sendChunks(response, parts({ text: " there was" }), ended());
    });
    await using host = await HostClient.start();
    const { run, arriving } = await begunRun(host, endpoint, geminiAt(endpoint.url));
    await host.streamed("t", 10);
    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    await (await arriving).closed;
    await run;
    const [partial] = receipt.partials;
    assert.deepEqual([partial?.content, partial?.partial], ["Once upon a time", true]);
    await host.send(TeamRun, { teamId: "t" });
    const { contents } = bodyAt(endpoint, 1);
    assert.deepEqual(contents.slice(0, 2), [user(GO), model({ text: "Once upon a time" })]);
    assert.match(JSON.stringify(contents[2]), /Continue from exactly where it stopped/);
  });

  it("interrupted in mid-thought: the request is closed, and the next one asks the same again", async () => {
    await using endpoint = await rawEndpoint((response, count) => {
      if (count === 1) startStream(response, parts({ text: "Well,", thought: true }));
      else sendChunks(response, parts({ text: "Once" }), ended());
    });
    await using host = await HostClient.start();
    const { run, arriving } = await begunRun(host, endpoint, geminiAt(endpoint.url));
    await host.event("t", ({ type }) => type === "reasoning/chunk");
    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    await (await arriving).closed;
    await run;
    assert.deepEqual(receipt.partials, []);
    assert.equal((await host.send(TeamRun, { teamId: "t" })).messages.at(-1)?.content, "Once");
    assert.deepEqual(bodyAt(endpoint, 1), bodyAt(endpoint, 0));
  });
});
