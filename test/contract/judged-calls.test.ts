import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { NewApprovalRule } from "../../shared/contract/approval.ts";
import type { DurableEvent } from "../../shared/contract/event.ts";
import {
  ApprovalsAdd,
  ApprovalsSuggest,
  TeamEvents,
  TeamInspect,
  TeamOpen,
  TeamResolveTools,
  TeamRun,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

interface PlannedCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

/** A host over a small project, whose ann makes these calls, each in a turn of its own. */
async function hostCalling(scratch: Scratch, ...calls: readonly PlannedCall[]) {
  const workspace = join(scratch.path, "app");
  mkdirSync(join(workspace, "secrets"), { recursive: true });
  writeFileSync(join(workspace, "secrets", "key.txt"), "the secret plan");
  writeFileSync(join(workspace, "notes.txt"), "the plan");
  const host = await HostClient.start({
    folders: [pathToFileURL(workspace).href],
    onToolCall: () => ({ output: "ran in the client" }),
  });
  const build = { name: "build", description: "Builds.", inputSchema: { type: "object" }, approval: "ask" as const };
  await host.send(ToolsRegister, { tools: [build] });
  const lines = calls.flatMap((call) => [{ calls: [call] }, "done"]);
  const model = { provider: "practice" as const, pace: 0, lines: { ann: lines } };
  const participants = { tools: ["runCommand", "readFile", "searchText", "build"] };
  const definition = roundRobin({ names: ["ann"], model, maxTurns: 1, participants });
  await host.send(TeamOpen, { teamId: "t", definition });
  return {
    host,
    run: () => host.send(TeamRun, { teamId: "t", task: "go" }),
    pending: async () => (await host.send(TeamInspect, { teamId: "t" })).pendingTools,
    add: (rule: Partial<NewApprovalRule>) =>
      host.send(ApprovalsAdd, { rule: { decision: "allow", tool: "*", scope: "workspace", ...rule } }),
    outputs: async () => (await eventsOf(host, "tool/executed")).map(({ output }) => String(output)),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

async function eventsOf<T extends DurableEvent["type"]>(host: HostClient, type: T) {
  const { events } = await host.send(TeamEvents, { teamId: "t" });
  return events.filter((event): event is Extract<DurableEvent, { type: T }> => event.type === type);
}

describe("what is judged", () => {
  it("is the input in its normal form, which is also what is recorded, shown and run, edited or not", async () => {
    using scratch = new Scratch();
    const input = { command: "git --version", cwd: null, timeoutSeconds: null };
    await using team = await hostCalling(scratch, { tool: "runCommand", input });
    await team.run();
    const [call] = await team.pending();
    assert.deepEqual(call?.input, { command: "git --version" });
    const [requested] = await eventsOf(team.host, "tool/requested");
    assert.deepEqual(
      requested?.calls.map((one) => one.input),
      [{ command: "git --version" }],
    );
    const ref = call?.ref ?? "";
    const edited = { command: "git --version", cwd: null };
    await team.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref, input: edited }] });
    const [resolved] = await eventsOf(team.host, "tool/resolved");
    assert.deepEqual(resolved?.input, { command: "git --version" });
    assert.match((await team.outputs())[0] ?? "", /^git version/);
  });

  it("has no unknown fields: such a call is refused, and the user is not asked", async () => {
    using scratch = new Scratch();
    const input = { command: "git --version", cwd: "secrets", x: null, y: 1 };
    await using team = await hostCalling(scratch, { tool: "runCommand", input });
    assert.equal((await team.run()).status.code, "success");
    assert.match((await team.outputs())[0] ?? "", /The input of runCommand is invalid: .*y/);
  });

  it("leads where it did when the user was asked: after a link was replaced, the user is asked again", async () => {
    using scratch = new Scratch();
    const input = { command: "git --version", cwd: "link" };
    await using team = await hostCalling(scratch, { tool: "runCommand", input });
    const link = join(scratch.path, "app", "link");
    const leadTo = (name: string): void => {
      rmSync(link, { force: true });
      mkdirSync(join(scratch.path, "app", name), { recursive: true });
      symlinkSync(join(scratch.path, "app", name), link, "junction");
    };
    leadTo("one");
    await team.run();
    const places = async () => (await team.pending()).map((call) => call.places?.map((place) => basename(place)));
    assert.deepEqual(await places(), [["one"]]);
    leadTo("two");
    const restart = async () => {
      const [call] = await team.pending();
      await team.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "" }] });
    };
    await restart();
    assert.deepEqual(await places(), [["two"]]);
    assert.match((await team.pending())[0]?.reason ?? "", /leads elsewhere than when you were asked, to .*two\.$/);
    await restart();
    assert.match((await team.outputs())[0] ?? "", /^git version/);
  });

  it("is a command also in a client's tool: a rule for its folder does not let it run", async () => {
    using scratch = new Scratch();
    const input = { command: ["rm", "-rf", "x"], cwd: "secrets", x: null };
    await using team = await hostCalling(scratch, { tool: "build", input });
    await team.add({ path: "secrets" });
    assert.equal((await team.run()).stopReason, "TOOL_INTERRUPT");
  });

  it("runs without a question under the rules that the host itself suggests", async () => {
    using scratch = new Scratch();
    const commands = ["git --version", "ls", "ls secrets"].map((command) => ({
      tool: "runCommand",
      input: { command },
    }));
    await using team = await hostCalling(scratch, ...commands, ...commands);
    for (const _ of commands) {
      assert.equal((await team.run()).stopReason, "TOOL_INTERRUPT");
      const [call] = await team.pending();
      const { choices } = await team.host.send(ApprovalsSuggest, { teamId: "t", ref: call?.ref ?? "" });
      const exactWords = choices[1]?.rules ?? [];
      assert.ok(exactWords.every(({ command }) => command !== undefined));
      const asked = (await eventsOf(team.host, "run/ended")).at(-1)?.seq ?? 0;
      const answered: string[] = [];
      for (const subject of exactWords) answered.push(...(await team.add(subject)).answered);
      assert.deepEqual(answered, [call?.ref], `${JSON.stringify(exactWords)} allow ${JSON.stringify(call?.input)}`);
      await team.host.event("t", (event) => event.type === "run/ended" && event.seq > asked);
    }
    for (const _ of commands) assert.equal((await team.run()).status.code, "success");
  });
});

describe("a rule that denies a path", () => {
  it("holds for every file that is read, and searches say what they left out", async () => {
    using scratch = new Scratch();
    await using team = await hostCalling(
      scratch,
      { tool: "readFile", input: { path: "app/secrets/key.txt" } },
      { tool: "searchText", input: { text: "plan" } },
      { tool: "searchText", input: { text: "plan", glob: "key.*" } },
      { tool: "runCommand", input: { command: "cat secrets/key.txt" } },
    );
    const { rule, note } = await team.add({ decision: "deny", path: "secrets/" });
    assert.equal(rule.path, "secrets/**");
    assert.match(note ?? "", /Only the sandbox limits what a program opens by itself/);
    for (let at = 0; at < 4; at++) assert.equal((await team.run()).status.code, "success");
    const [read, found, globbed, command] = await team.outputs();
    assert.match(read ?? "", /The rule .* denies this call/);
    assert.match(
      found ?? "",
      /^notes\.txt:1: the plan\n\[1 file was left out because of the user's approval rules\.\]$/,
    );
    assert.doesNotMatch(globbed ?? "", /secret/);
    assert.match(command ?? "", /The rule .* denies this call/);
  });

  it("asks about a command that could read it, which a rule allows otherwise", async () => {
    using scratch = new Scratch();
    await using team = await hostCalling(scratch, { tool: "runCommand", input: { command: "grep -r plan ." } });
    await team.add({ tool: "runCommand" });
    await team.add({ decision: "deny", path: "secrets/**" });
    assert.equal((await team.run()).stopReason, "TOOL_INTERRUPT");
    const [call] = await team.pending();
    assert.match(call?.reason ?? "", /may apply to this call: "\." is above a file that it names/);
  });

  it("is refused, in one sentence, when it could never match", async () => {
    using scratch = new Scratch();
    await using team = await hostCalling(scratch);
    const wrong = await refusal(team.add({ decision: "deny", path: "file:///app/secrets" }));
    assert.equal(wrong.code, -32602);
    assert.deepEqual(wrong.data.problems, [
      {
        path: "rule.path",
        message: "the path pattern file:///app/secrets is a URL; write the path itself, such as src/**",
      },
    ]);
  });
});
