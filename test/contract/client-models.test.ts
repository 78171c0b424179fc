import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { z } from "zod";
import { type ClientModelPart, ModelsPart, ModelsStream } from "../../shared/contract/client-models.ts";
import { TeamFork, TeamInterrupt, TeamList, TeamOpen, TeamReset, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient, type HostOptions } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";

type Asked = z.output<typeof ModelsStream.params>;
type Answer = z.input<typeof ModelsStream.result>;

const team = {
  name: "Editor",
  kind: "roundRobin",
  models: { default: { provider: "vscode", vendor: "acme", model: "small", price: { prompt: 1, completion: 2 } } },
  participants: [{ name: "ann", instructions: "Be brief.", tools: ["listFiles"] }],
  maxTurns: 1,
};

/** A host whose client has a model that `answer` plays: it is given what was asked, and sends parts. */
async function hostWithModel(
  answer: (asked: Asked, send: (...parts: ClientModelPart[]) => Promise<void>, stop: Promise<void>) => Promise<Answer>,
  options: HostOptions = {},
): Promise<HostClient> {
  const host = await HostClient.start(options);
  host.connection.onRequest<Answer, void>(ModelsStream.method, (params, token) => {
    const asked = ModelsStream.params.parse(params);
    const stop = new Promise<void>((resolve) => token.onCancellationRequested(() => resolve()));
    const send = (...parts: ClientModelPart[]): Promise<void> =>
      host.connection.sendNotification(ModelsPart.method, { requestId: asked.requestId, parts });
    return answer(asked, send, stop);
  });
  await host.send(TeamOpen, { teamId: "t", definition: team });
  return host;
}

/** The error that a run of the team ends with. */
async function failedRun(host: HostClient): Promise<string> {
  await host.send(TeamRun, { teamId: "t", task: "Go" }).catch(() => undefined);
  const error = await host.event("t", ({ type }) => type === "error");
  assert.ok(error.type === "error");
  return error.message;
}

describe("a model that the client supplies", () => {
  it("is asked with the conversation and the tools, and its parts become the message", async () => {
    const asked: Asked[] = [];
    await using host = await hostWithModel(async (params, send) => {
      asked.push(params);
      if (asked.length === 1) {
        await send({ type: "text", delta: "I look. " }, { type: "call", name: "listFiles", input: {} });
        return {};
      }
      await send({ type: "text", delta: "All " });
      await send({ type: "text", delta: "done." });
      return { usage: { prompt: 100, completion: 7 } };
    });
    const { messages } = await host.send(TeamRun, { teamId: "t", task: "What is here?" });
    const last = messages.at(-1);
    assert.ok(last?.type === "TextMessage");
    assert.equal(last.content, "All done.");

    const [first, second] = asked;
    assert.deepEqual([first?.vendor, first?.model, first?.participant], ["acme", "small", "ann"]);
    assert.deepEqual(first?.messages, [
      {
        role: "user",
        content: [
          { type: "text", text: "Be brief." },
          { type: "text", text: "user said:\nWhat is here?" },
        ],
      },
    ]);
    assert.deepEqual(
      first?.tools.map(({ name }) => name),
      ["listFiles"],
    );
    const [said, result] = second?.messages.slice(-2) ?? [];
    assert.deepEqual(
      said?.content.map(({ type }) => type),
      ["text", "call"],
    );
    const [call] = said?.content.slice(-1) ?? [];
    assert.ok(call?.type === "call" && result?.content[0]?.type === "result");
    assert.equal(result.content[0].id, call.id);
  });

  it("has its usage counted where it reports none, marked as an estimate, with its cost", async () => {
    await using host = await hostWithModel(async (_, send) => {
      await send({ type: "text", delta: "x".repeat(350) });
      return {};
    });
    const { usage } = await host.send(TeamRun, { teamId: "t", task: "Go" });
    assert.equal(usage?.estimated, true);
    assert.equal(usage?.completion, 100);
    assert.ok((usage?.prompt ?? 0) > 0 && (usage?.cost ?? 0) > 0);
  });

  it("has what it cost in the list of teams, also of teams that no host has opened", async () => {
    using scratch = new Scratch();
    const options = { storagePath: scratch.path };
    await using host = await hostWithModel(async (_, send) => {
      await send({ type: "text", delta: "x".repeat(350) });
      return {};
    }, options);
    const listed = async (client: HostClient) =>
      (await client.send(TeamList, {})).teams.map(({ teamId, usage }) => [teamId, usage]);
    assert.deepEqual(await listed(host), [["t", undefined]]);
    const { usage } = await host.send(TeamRun, { teamId: "t", task: "Go" });
    assert.ok(usage?.estimated === true && (usage.cost ?? 0) > 0);
    await host.send(TeamFork, { teamId: "t", newTeamId: "fork" });
    await using other = await HostClient.start(options);
    for (const client of [host, other])
      assert.deepEqual(await listed(client), [
        ["fork", usage],
        ["t", usage],
      ]);
    await host.send(TeamReset, { teamId: "t" });
    assert.deepEqual((await listed(other))[0], ["t", { prompt: 0, completion: 0, total: 0 }]);
  });

  it("keeps the text so far when it is interrupted, and is told to stop", async () => {
    const stopped = Promise.withResolvers<void>();
    await using host = await hostWithModel(async (_, send, stop) => {
      await send({ type: "text", delta: "This is the beginning" });
      await stop;
      stopped.resolve();
      await send({ type: "text", delta: " and this is too late" });
      return {};
    });
    const run = host.send(TeamRun, { teamId: "t", task: "Go" });
    await host.streamed("t", 10);
    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    await stopped.promise;
    await run;
    assert.match(JSON.stringify(receipt), /This is the beginning"/);
  });

  it("is told to stop when its answer has no end", async () => {
    const stopped = Promise.withResolvers<void>();
    await using host = await hostWithModel(async (_, send, stop) => {
      const part = { type: "call", name: "listFiles", input: { path: "x".repeat(1_000_000) } } as const;
      for (let count = 0; count < 17; count++) await send({ ...part, id: `${count}` });
      await stop;
      stopped.resolve();
      return {};
    });
    assert.match(await failedRun(host), /^small sent an answer without an end/);
    await stopped.promise;
  });

  it("fails with one sentence that says what to do: no such model, not allowed, refused, and no models at all", async () => {
    for (const [failure, expected] of [
      ["notFound", /^The editor has no language model for small; sign in .* or choose another/],
      ["notAllowed", /^Gavel may not use small; run the team again and allow it/],
      ["refused", /^small refused the request: no quota; if its quota is used up, wait/],
      ["failed", /^small failed: no quota; try again/],
    ] as const) {
      await using host = await hostWithModel(async () => ({ failure, message: "no quota" }));
      assert.match(await failedRun(host), expected, failure);
    }
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition: team });
    assert.match(await failedRun(host), /^The editor has no language model for small/);
  });
});
