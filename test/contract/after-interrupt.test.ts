import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import {
  TeamEditMessage,
  TeamFork,
  TeamInspect,
  TeamInspectState,
  TeamInterrupt,
  TeamOpen,
  TeamPreviewInterrupt,
  TeamPreviewMessage,
  TeamPreviewTool,
  TeamQueue,
  TeamResolveTools,
  TeamRun,
  TeamSaveState,
  TeamSendUserMessage,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { beginLongRun } from "./harness/long-run.ts";
import { Scratch } from "./harness/scratch.ts";
import { openai, practice, roundRobin } from "./harness/teams.ts";

/** A directed message after whose reply the run ends. */
// biome-ignore lint/suspicious/noThenProperty: the contract names the field so
const pause = { then: "pause" as const };

/** Team "t", interrupted while ann was in the middle of a long message. */
async function interrupted(host: HostClient, endpoint: FakeEndpoint): Promise<string> {
  const { run } = await beginLongRun(host, endpoint);
  await host.send(TeamInterrupt, { teamId: "t" });
  await run;
  return (await host.send(TeamInspect, { teamId: "t" })).thread.at(-1)?.id ?? "";
}

const contents = async (host: HostClient, teamId = "t"): Promise<unknown[]> =>
  (await host.send(TeamInspect, { teamId })).thread.map(({ content }) => content);

describe("an interrupt, before and after", () => {
  it("is previewed, and its receipt says what was stopped and what is kept", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run } = await beginLongRun(host, endpoint);

    const preview = await host.send(TeamPreviewInterrupt, { teamId: "t" });
    const bob = await host.send(TeamPreviewInterrupt, { teamId: "t", scope: { participant: "bob" } });
    const unknown = await refusal(host.send(TeamPreviewInterrupt, { teamId: "t", scope: { participant: "zoe" } }));
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).status, "running");
    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    await run;

    assert.deepEqual(preview.participants, [{ participant: "ann", activity: "speaking" }]);
    assert.deepEqual([preview.isRunning, bob.isRunning, unknown.data.code], [true, false, "UnknownParticipant"]);
    assert.ok((preview.streaming[0]?.words ?? 0) > 0);
    assert.deepEqual(receipt.stopped, { participants: [{ participant: "ann" }], tools: [] });
    assert.deepEqual([receipt.kept?.messages, receipt.grace], [2, "now"]);
    assert.equal((await host.send(TeamPreviewInterrupt, { teamId: "t" })).isRunning, false);
  });

  it("names the tools that may have had effects", async () => {
    await using endpoint = await FakeEndpoint.start();
    const called = Promise.withResolvers<void>();
    await using host = await HostClient.start({
      onToolCall: (_, signal) => {
        called.resolve();
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ error: "stopped" })));
      },
    });
    endpoint.calls("ann", [{ id: "c1", name: "look", arguments: "{}" }]);
    const look = { name: "look", description: "Looks", inputSchema: { type: "object" }, readOnly: true as const };
    await host.send(ToolsRegister, { tools: [look] });
    const definition = roundRobin({
      names: ["ann"],
      model: openai(endpoint.baseUrl),
      participants: { tools: ["look"] },
    });
    await host.send(TeamOpen, { teamId: "t", definition });
    const run = host.send(TeamRun, { teamId: "t", task: "go" });
    await called.promise;

    const started = await host.event("t", ({ type }) => type === "tool/started");
    const ref = started.type === "tool/started" ? started.ref : "";
    const tool = { ref, name: "look", participant: "ann", mayHaveHadEffects: false };
    const preview = await host.send(TeamPreviewInterrupt, { teamId: "t", scope: { ref } });
    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    await run;

    assert.deepEqual(preview.tools, [{ ...tool, state: "running", onInterrupt: "abort" }]);
    assert.deepEqual(receipt.stopped?.tools, [tool]);
  });
});

describe("a message that was cut short", () => {
  it("can be edited, and the model continues from the new text; then removed; whole messages cannot be changed", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start({ user: { id: "operator", name: "Operator" } });
    const messageId = await interrupted(host, endpoint);

    const edited = await host.send(TeamEditMessage, { teamId: "t", messageId, content: "In short: yes." });
    assert.deepEqual(edited.thread.at(-1)?.metadata, { edited: true });
    assert.deepEqual(await contents(host), ["go", "In short: yes."]);
    const event = await host.event("t", ({ type }) => type === "message/edited");
    assert.equal(event.type === "message/edited" && event.by, "operator");
    await host.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages: "Agreed?", ...pause });
    assert.ok(endpoint.conversations.at(-1)?.some((line) => line.includes("In short: yes.")));

    const dropped = await host.send(TeamEditMessage, { teamId: "t", messageId, content: null });
    assert.equal(dropped.threadLength, 3);
    assert.deepEqual(await contents(host), ["go", "Agreed?", "bob is brief"]);
    const whole = dropped.thread[2]?.id ?? "";
    for (const wrong of [messageId, whole]) {
      const { data } = await refusal(host.send(TeamEditMessage, { teamId: "t", messageId: wrong, content: "x" }));
      assert.equal(data.code, "InvalidParams");
    }
    const empty = await refusal(host.sendRaw("team/editMessage", { teamId: "t", messageId, content: "" }));
    assert.equal(empty.data.code, "InvalidParams");
  });
});

describe("a fork", () => {
  it("is another team with the same state, and the two are independent", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const messageId = await interrupted(host, endpoint);

    const fork = await host.send(TeamFork, { teamId: "t", newTeamId: "u" });

    assert.equal(fork.teamId, "u");
    // Nothing but the id, the title and the number of the last event tells them apart.
    const { teamId, lastSeq, title } = fork;
    assert.match(title ?? "", / \(fork\)$/);
    assert.deepEqual({ ...(await host.send(TeamInspect, { teamId: "t" })), teamId, lastSeq, title }, fork);
    assert.deepEqual(await host.send(TeamSaveState, { teamId: "u" }), await host.send(TeamSaveState, { teamId: "t" }));
    await host.send(TeamEditMessage, { teamId: "u", messageId, content: null });
    assert.deepEqual([(await contents(host, "u")).length, (await contents(host)).length], [1, 2]);
    await host.send(TeamSendUserMessage, { teamId: "u", to: "bob", messages: "hi", ...pause });
    assert.deepEqual((await contents(host, "u")).at(-1), "bob is brief");
    const taken = await refusal(host.send(TeamFork, { teamId: "t", newTeamId: "u" }));
    assert.deepEqual([taken.data.code, taken.data.problems?.[0]?.path], ["InvalidParams", "newTeamId"]);
    const named = await host.send(TeamFork, { teamId: "t" });
    assert.notEqual(named.teamId, "t");
    assert.equal((await refusal(host.send(TeamFork, { teamId: "none" }))).data.code, "UnknownTeam");
  });

  it("of a running team is refused, and creates no team", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    await beginLongRun(host, endpoint);

    const { data } = await refusal(host.send(TeamFork, { teamId: "t", newTeamId: "u" }));

    assert.equal(data.code, "TeamBusy");
    assert.equal((await refusal(host.send(TeamInspect, { teamId: "u" }))).data.code, "UnknownTeam");
  });
});

describe("messages to one participant", () => {
  it("are previewed, listed, edited, reordered and withdrawn while they wait", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run } = await beginLongRun(host, endpoint);
    const preview = await host.send(TeamPreviewMessage, {
      teamId: "t",
      to: "bob",
      delivery: "queue",
      visibility: "target",
    });
    assert.deepEqual([preview.when.code, preview.interrupts, preview.seenBy], ["afterRun", [], ["bob"]]);
    const now = await host.send(TeamPreviewMessage, { teamId: "t", to: "bob" });
    assert.deepEqual([now.when.code, now.interrupts], ["afterInterrupt", [{ participant: "ann" }]]);

    const sent = ["one", "two", "three"].map((messages) =>
      host.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages, delivery: "queue", ...pause }),
    );
    let queued = (await host.send(TeamQueue, { teamId: "t" })).queued;
    assert.deepEqual(
      queued.map(({ messages }) => messages),
      [["one"], ["two"], ["three"]],
    );
    const [one = "", two = "", three = ""] = queued.map(({ id }) => id);
    ({ queued } = await host.send(TeamQueue, {
      teamId: "t",
      edit: { id: one, messages: ["first"] },
      order: [three, one, two],
      withdraw: [two],
    }));
    assert.deepEqual(
      queued.map(({ messages }) => messages),
      [["three"], ["first"]],
    );
    assert.equal((await sent[1])?.status.code, "cancelled");
    const { data } = await refusal(host.send(TeamQueue, { teamId: "t", withdraw: [two] }));
    assert.equal(data.code, "InvalidParams");
    await host.send(TeamQueue, { teamId: "t", withdraw: [one, three] });
    await host.send(TeamInterrupt, { teamId: "t" });
    await run;
    assert.deepEqual((await host.send(TeamQueue, { teamId: "t" })).queued, []);
  });

  it("for their target only are not shown to the others", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    endpoint.says("ann", "ann here").says("bob", "bob here");
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ model: openai(endpoint.baseUrl) }) });

    await host.send(TeamSendUserMessage, {
      teamId: "t",
      to: "ann",
      messages: "secret",
      visibility: "target",
      ...pause,
    });
    await host.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages: "open", ...pause });

    const [toAnn = [], toBob = []] = endpoint.conversations.map((lines) =>
      lines.filter((line) => !line.startsWith("system")),
    );
    assert.ok(toAnn.some((line) => line.includes("secret")));
    assert.ok(toBob.some((line) => line.includes("ann here")));
    assert.ok(!toBob.some((line) => line.includes("secret")));
  });
});

describe("team/inspectState", () => {
  it("shows who spoke, what each model is shown, and how far the conditions have come", async () => {
    await using host = await HostClient.start();
    const definition = roundRobin({ termination: { any: [{ maxMessages: 9 }, { external: true }] } });
    await host.send(TeamOpen, { teamId: "t", definition });
    await host.send(TeamSendUserMessage, { teamId: "t", to: "ann", messages: "hi", ...pause });

    const state = await host.send(TeamInspectState, { teamId: "t" });

    assert.deepEqual(
      state.speakers.map(({ participant, lastLine }) => [participant, lastLine]),
      [
        ["ann", "ann answers"],
        ["bob", undefined],
      ],
    );
    assert.deepEqual(state.contexts[1]?.tail, ["user: hi", "ann: ann answers"]);
    assert.deepEqual(
      state.conditions.map(({ kind, progress }) => [kind, progress]),
      [
        ["maxMessages", "2 of 9 messages"],
        ["external", "not requested"],
      ],
    );
  });
});

describe("a call that waits for the user", () => {
  it("previews the file that it would write, with its own input and with another, and changes nothing", async () => {
    using folder = new Scratch();
    const file = join(folder.path, "a.txt");
    writeFileSync(file, "one\n");
    await using host = await HostClient.start({ folders: [pathToFileURL(folder.path).href] });
    const input = { path: "a.txt", old: "one", new: "two" };
    const lines = { ann: [{ calls: [{ tool: "editFile", input }] }] };
    const model = { provider: "practice" as const, pace: 0, lines };
    await host.send(TeamOpen, {
      teamId: "t",
      definition: roundRobin({ names: ["ann"], model, participants: { tools: ["editFile"] } }),
    });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const ref = (await host.send(TeamInspect, { teamId: "t" })).pendingTools[0]?.ref ?? "";
    const preview = (more: object = {}) => host.send(TeamPreviewTool, { teamId: "t", ref, ...more });
    const change = async (more: object = {}) => {
      const shown = await preview(more);
      assert.ok(shown !== null && "after" in shown);
      assert.match(shown.digest ?? "", /^[0-9a-f]{64}$/);
      const { path, before, after } = shown;
      return { path, before, after };
    };

    assert.deepEqual(await change(), { path: "a.txt", before: "one\n", after: "two\n" });
    assert.deepEqual(await change({ input: { ...input, new: "three" } }), {
      path: "a.txt",
      before: "one\n",
      after: "three\n",
    });
    const misfit = await preview({ input: { ...input, old: "none" } });
    assert.match(misfit !== null && "problem" in misfit ? misfit.problem : "", /does not occur in "a\.txt"/);
    assert.equal(readFileSync(file, "utf8"), "one\n");
  });

  it("is previewed, and an edited input that its tool refuses changes nothing", async () => {
    await using host = await HostClient.start({ onToolCall: () => ({ output: "paid" }) });
    const inputSchema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
    await host.send(ToolsRegister, { tools: [{ name: "pay", description: "Pays", inputSchema, approval: "ask" }] });
    const model = practice(["ann"]);
    const definition = roundRobin({
      names: ["ann"],
      model: { ...model, lines: { ann: [{ calls: [{ tool: "pay", input: { sum: 5 } }] }, "Paid."] } } as typeof model,
      maxTurns: 1,
      participants: { tools: ["pay"] },
    });
    await host.send(TeamOpen, { teamId: "t", definition });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const [pending] = (await host.send(TeamInspect, { teamId: "t" })).pendingTools;
    const ref = pending?.ref ?? "";

    assert.equal(await host.send(TeamPreviewTool, { teamId: "t", ref }), null);
    assert.equal((await refusal(host.send(TeamPreviewTool, { teamId: "t", ref: "none" }))).data.code, "InvalidResume");
    const blocked = await host.send(TeamPreviewMessage, { teamId: "t", to: "ann" });
    assert.equal(blocked.when.code, "blocked");
    const refused = await refusal(
      host.send(TeamResolveTools, { teamId: "t", restart: [{ ref, input: { sum: "much" } }] }),
    );
    assert.deepEqual([refused.data.code, refused.data.problems?.[0]?.path], ["InvalidParams", "restart[0].input"]);
    assert.deepEqual((await host.send(TeamInspect, { teamId: "t" })).pendingTools, [pending]);
    const { result } = await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref, input: { sum: 4 } }] });
    assert.equal(result?.messages.at(-1)?.content, "Paid.");
  });
});
