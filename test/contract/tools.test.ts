import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { PracticeLine, TeamDefinition } from "../../shared/contract/definition.ts";
import {
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamResolveTools,
  TeamRun,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

const measure = { name: "measure", description: "Measures.", inputSchema: { type: "object" } };

function solo(tools: readonly string[], lines: readonly PracticeLine[]): TeamDefinition {
  return roundRobin({
    names: ["ann"],
    model: { provider: "practice", pace: 0, lines: { ann: [...lines] } },
    maxTurns: 1,
    participants: { tools: [...tools] },
  });
}

const call = (tool: string, input: Record<string, unknown> = {}): PracticeLine => ({ calls: [{ tool, input }] });

describe("tools that a client registered", () => {
  it("run in the client, and their output goes to the model", async () => {
    const seen: unknown[] = [];
    await using host = await HostClient.start({
      onToolCall: (params) => {
        seen.push(params);
        return { output: { metres: 7 } };
      },
    });
    await host.send(ToolsRegister, { tools: [measure] });
    await host.send(TeamOpen, { teamId: "t", definition: solo(["measure"], [call("measure", { what: "x" }), "done"]) });
    const { messages } = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(messages.at(-1)?.content, "done");
    assert.partialDeepStrictEqual(seen, [{ teamId: "t", participant: "ann", name: "measure", input: { what: "x" } }]);
    const executed = await host.event("t", ({ type }) => type === "tool/executed");
    assert.partialDeepStrictEqual(executed, { output: { metres: 7 }, isError: false });
  });

  it("give the model an error for { error } and for a client that fails", async () => {
    const validation = JSON.stringify([{ code: "invalid_type", path: ["length"], message: "Required" }], null, 2);
    for (const [answer, expected] of [
      [() => ({ error: "no tape" }), "no tape"],
      [
        () => Promise.reject(new Error("no tape here")),
        'The client could not run the tool "measure": Request tools/call failed with message: no tape here',
      ],
      [() => Promise.reject(new Error(validation)), 'The client could not run the tool "measure".'],
    ] as const) {
      await using host = await HostClient.start({ onToolCall: answer });
      await host.send(ToolsRegister, { tools: [measure] });
      await host.send(TeamOpen, { teamId: "t", definition: solo(["measure"], [call("measure"), "done"]) });
      assert.equal((await host.send(TeamRun, { teamId: "t", task: "go" })).status.code, "success");
      const executed = await host.event("t", ({ type }) => type === "tool/executed");
      assert.ok(executed.type === "tool/executed" && executed.isError);
      assert.equal(executed.output, expected);
    }
  });

  it("give the model one sentence for an answer that the protocol does not have; the log says what is wrong", async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field${at}`, at]));
    const answers = [
      null,
      7,
      "seven metres",
      [{ output: 7 }],
      {},
      { nonsense: 1 },
      { output: 7, isError: false },
      { error: { code: 5 } },
      many,
    ];
    let given = 0;
    await using host = await HostClient.start({ onToolCall: () => answers[given] });
    await host.send(ToolsRegister, { tools: [measure] });
    for (; given < answers.length; given++) {
      const teamId = `t${given}`;
      await host.send(TeamOpen, { teamId, definition: solo(["measure"], [call("measure"), "done"]) });
      assert.equal((await host.send(TeamRun, { teamId, task: "go" })).status.code, "success");
      const executed = await host.event(teamId, ({ type }) => type === "tool/executed");
      assert.partialDeepStrictEqual(executed, {
        output: 'The tool "measure" may have run, but its client gave a malformed answer, so its result is unknown.',
        isError: true,
      });
      const logged = host.logs.filter(({ level, message }) => level === "warn" && /tools\/call/.test(message));
      assert.equal(logged.length, given + 1);
      assert.match(logged.at(-1)?.message ?? "", /^The client's answer to tools\/call is malformed: .{5,600}$/);
    }
  });

  it("are cancelled by an interrupt, and the call's result says so", async () => {
    const cancelled = Promise.withResolvers<void>();
    await using host = await HostClient.start({
      onToolCall: async (_, signal) => {
        signal.addEventListener("abort", () => cancelled.resolve());
        await cancelled.promise;
        return { error: "cancelled" };
      },
    });
    await host.send(ToolsRegister, { tools: [measure] });
    await host.send(TeamOpen, { teamId: "t", definition: solo(["measure"], [call("measure"), "done"]) });
    const run = host.send(TeamRun, { teamId: "t", task: "go" });
    await host.event("t", ({ type }) => type === "tool/started");
    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    await cancelled.promise;
    assert.deepEqual(receipt.abandonedTools, []);
    assert.equal((await run).stopReason, "USER_INTERRUPT");
    const results = host.eventsOf("t").filter(({ type }) => type === "tool/executed");
    assert.equal(results.length, 1);
    assert.partialDeepStrictEqual(results[0], { isError: true, interrupted: true });
  });

  it("may ask the user: the call is pending with what they asked, and the turn continues with the answer", async () => {
    await using host = await HostClient.start({ onToolCall: () => ({ interrupt: { question: "Which tape?" } }) });
    await host.send(ToolsRegister, { tools: [measure] });
    await host.send(TeamOpen, { teamId: "t", definition: solo(["measure"], [call("measure"), "done"]) });
    const { stopReason } = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(stopReason, "TOOL_INTERRUPT");
    const { status, pendingTools } = await host.send(TeamInspect, { teamId: "t" });
    assert.equal(status, "awaitingTools");
    assert.deepEqual(pendingTools[0]?.interrupt, { question: "Which tape?" });
    const ref = pendingTools[0]?.ref ?? "";
    const { remaining, result } = await host.send(TeamResolveTools, { teamId: "t", respond: [{ ref, output: "red" }] });
    assert.deepEqual([remaining, result?.messages.at(-1)?.content], [[], "done"]);
  });

  it("cannot take the name of a tool of the host, and neither can a team file", async () => {
    await using host = await HostClient.start();
    const tools = [{ ...measure, name: "runCommand" }];
    assert.match(
      (await refusal(host.send(ToolsRegister, { tools }))).message,
      /tools\[0\]\.name: "runCommand" is a built-in tool/,
    );
    const definition = solo([], ["done"]);
    const [ann] = definition.participants;
    const unsafe = { ...definition, participants: [{ ...ann, tools: [{ ...tools[0], approval: "never" }] }] };
    assert.match((await refusal(host.send(TeamOpen, { definition: unsafe }))).message, /built-in tool/);
  });
});

describe('a tool that needs approval (PROTOCOL.md, "Tool interrupts")', () => {
  const lines = (command: string): PracticeLine[] => [call("runCommand", { command }), "ann is done"];

  it("does not run before; restart runs it in the workspace, and the turn continues", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ folders: [pathToFileURL(scratch.path).href] });
    writeFileSync(join(scratch.path, "note.txt"), "found me");
    await host.send(TeamOpen, { teamId: "t", definition: solo(["runCommand"], lines("cat note.txt")) });
    const { stopReason, status } = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.deepEqual([stopReason, status.code, status.reason], ["TOOL_INTERRUPT", "interrupted", "tool_interrupt"]);
    const { pendingTools } = await host.send(TeamInspect, { teamId: "t" });
    assert.deepEqual(
      pendingTools.map(({ name, participant, input, approval }) => ({ name, participant, input, approval })),
      [{ name: "runCommand", participant: "ann", input: { command: "cat note.txt" }, approval: true }],
    );
    assert.ok(!host.eventsOf("t").some(({ type }) => type === "tool/started"));
    const ref = pendingTools[0]?.ref ?? "";
    const { result } = await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref }] });
    assert.equal(result?.messages.at(-1)?.content, "ann is done");
    const executed = await host.event("t", ({ type }) => type === "tool/executed");
    assert.match(JSON.stringify(executed), /found me/);
    assert.deepEqual((await host.send(TeamInspect, { teamId: "t" })).status, "idle");
  });

  it("deny gives the model an error that says so; twice, unknown or nothing pending is InvalidResume", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ folders: [pathToFileURL(scratch.path).href] });
    await host.send(TeamOpen, { teamId: "t", definition: solo(["runCommand"], lines("true")) });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const ref = (await host.send(TeamInspect, { teamId: "t" })).pendingTools[0]?.ref ?? "";
    const deny = [{ ref, reason: "not today" }];
    for (const answers of [{ deny: [{ ref: "other" }] }, { deny: [...deny, ...deny] }]) {
      assert.equal(
        (await refusal(host.send(TeamResolveTools, { teamId: "t", ...answers }))).data.code,
        "InvalidResume",
      );
    }
    assert.equal((await refusal(host.send(TeamResolveTools, { teamId: "t" }))).data.code, "InvalidParams");
    assert.equal((await refusal(host.send(TeamRun, { teamId: "t", task: "more" }))).data.code, "InvalidResume");
    const { result } = await host.send(TeamResolveTools, { teamId: "t", deny });
    assert.equal(result?.status.code, "success");
    const executed = await host.event("t", ({ type }) => type === "tool/executed");
    assert.match(JSON.stringify(executed), /denied this call: not today/);
    assert.equal((await refusal(host.send(TeamResolveTools, { teamId: "t", deny }))).data.code, "InvalidResume");
  });

  it("is pending also after a restart of the host, and two answers at once run it exactly once", async () => {
    using scratch = new Scratch();
    const workspace = join(scratch.path, "workspace");
    mkdirSync(workspace);
    const options = { storagePath: join(scratch.path, "store"), folders: [pathToFileURL(workspace).href] };
    await using first = await HostClient.start(options);
    const definition = solo(["runCommand"], lines("echo ran >> log.txt && cat log.txt"));
    await first.send(TeamOpen, { teamId: "t", definition });
    await first.send(TeamRun, { teamId: "t", task: "go" });
    await first.kill();

    await using second = await HostClient.start(options);
    const { status, pendingTools } = await second.send(TeamOpen, { teamId: "t" });
    assert.equal(status, "awaitingTools");
    const ref = pendingTools[0]?.ref ?? "";
    const answers = await Promise.allSettled([
      second.send(TeamResolveTools, { teamId: "t", restart: [{ ref }] }),
      second.send(TeamResolveTools, { teamId: "t", restart: [{ ref }] }),
    ]);
    assert.deepEqual(answers.map((answer) => answer.status).sort(), ["fulfilled", "rejected"]);
    assert.equal(second.eventsOf("t").filter(({ type }) => type === "tool/started").length, 1);
  });
});

describe("a team file that loses a participant whose call is pending", () => {
  it("cancels the call, keeps the thread, and says so in one sentence to a late answer", async () => {
    await using host = await HostClient.start();
    await host.send(ToolsRegister, { tools: [{ ...measure, approval: "ask" }] });
    const before = solo(["measure"], [{ say: "Let me see.", calls: [{ tool: "measure" }] }, "done"]);
    await host.send(TeamOpen, { teamId: "t", definition: before });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const { pendingTools } = await host.send(TeamInspect, { teamId: "t" });
    const ref = pendingTools[0]?.ref ?? "";

    const after = { ...roundRobin({ names: ["eve"], maxTurns: 1 }), name: before.name };
    const opened = await host.send(TeamOpen, { teamId: "t", definition: after });
    assert.deepEqual([opened.status, opened.pendingTools], ["paused", []]);
    const result = host.eventsOf("t").find((event) => event.type === "tool/executed");
    assert.partialDeepStrictEqual(result, { ref, participant: "ann", isError: true, interrupted: true });
    assert.match(JSON.stringify(result), /its participant is not in the team any more/);

    const refused = await refusal(host.send(TeamResolveTools, { teamId: "t", restart: [{ ref }] }));
    assert.deepEqual(
      [refused.code, refused.data.code, refused.message],
      [-32005, "InvalidResume", `No call ${ref} is pending; none is.`],
    );
    const { messages, status } = await host.send(TeamRun, { teamId: "t" });
    assert.deepEqual([status.code, messages.map(({ source }) => source)], ["success", ["eve"]]);
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).thread[0]?.content, "go");
  });
});

describe("the host's tools", () => {
  it("read what is in the workspace, and nothing outside it", async () => {
    using scratch = new Scratch();
    const workspace = join(scratch.path, "workspace");
    mkdirSync(workspace);
    writeFileSync(join(workspace, "in.txt"), "inside");
    writeFileSync(join(scratch.path, "out.txt"), "outside");
    await using host = await HostClient.start({ folders: [pathToFileURL(workspace).href] });
    const lines = [call("readFile", { path: "in.txt" }), call("readFile", { path: "../out.txt" }), "done"];
    await host.send(TeamOpen, { teamId: "t", definition: solo(["readFile"], lines) });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const results = host.eventsOf("t").filter(({ type }) => type === "tool/executed");
    assert.match(JSON.stringify(results[0]), /inside/);
    assert.partialDeepStrictEqual(results[1], { isError: true });
    assert.doesNotMatch(JSON.stringify(host.eventsOf("t")), /outside"/);
  });
});
