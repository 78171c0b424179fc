import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { NewApprovalRule } from "../../shared/contract/approval.ts";
import type { PracticeLine } from "../../shared/contract/definition.ts";
import {
  ApprovalsAdd,
  ApprovalsList,
  ApprovalsRemove,
  ApprovalsSuggest,
  TeamInspect,
  TeamOpen,
  TeamPreviewTool,
  TeamResolveTools,
  TeamRun,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import { HostClient, type HostOptions, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

const deploy = {
  name: "deploy",
  description: "Deploys.",
  inputSchema: { type: "object" },
  approval: "ask" as const,
};

const calls = (...targets: readonly string[]): PracticeLine => ({
  calls: targets.map((to) => ({ tool: "deploy", input: { to } })),
});

const rule = (fields: Partial<NewApprovalRule> = {}): NewApprovalRule => ({
  decision: "allow",
  tool: "deploy",
  scope: "workspace",
  ...fields,
});

/** A host with the tool `deploy`, a team "t" whose ann speaks these lines, and where was deployed to. */
async function hostWith(lines: readonly PracticeLine[], options: HostOptions = {}) {
  const deployed: unknown[] = [];
  const host = await HostClient.start({
    ...options,
    onToolCall: ({ input }) => {
      deployed.push((input as { to: unknown }).to);
      return { output: "deployed" };
    },
  });
  await host.send(ToolsRegister, { tools: [deploy] });
  const definition = roundRobin({
    names: ["ann"],
    model: { provider: "practice", pace: 0, lines: { ann: [...lines] } },
    maxTurns: 1,
    participants: { tools: ["deploy"] },
  });
  await host.send(TeamOpen, { teamId: "t", definition });
  const run = () => host.send(TeamRun, { teamId: "t", task: "go" });
  return { host, deployed, run, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

describe("rules for tool calls", () => {
  it("let a call run without asking, and its event says which rule did", async () => {
    await using team = await hostWith([calls("staging"), "done"]);
    const added = await team.host.send(ApprovalsAdd, { rule: rule({ input: { to: "staging" } }) });
    assert.equal((await team.run()).status.code, "success");
    assert.deepEqual(team.deployed, ["staging"]);
    const started = await team.host.event("t", ({ type }) => type === "tool/started");
    assert.partialDeepStrictEqual(started, { approved: { rule: added.rule.id } });
  });

  it("deny a call: the model is told, the user is not asked", async () => {
    await using team = await hostWith([calls("production"), "done"]);
    await team.host.send(ApprovalsAdd, { rule: rule() });
    await team.host.send(ApprovalsAdd, { rule: rule({ decision: "deny", participant: "ann" }) });
    assert.equal((await team.run()).status.code, "success");
    assert.deepEqual(team.deployed, []);
    const executed = await team.host.event("t", ({ type }) => type === "tool/executed");
    assert.ok(executed.type === "tool/executed" && executed.isError);
    assert.match(String(executed.output), /The rule "deploy, by ann, in this workspace" denies this call/);
  });

  it("decide pending calls as soon as they are added: the same request is asked once", async () => {
    await using team = await hostWith([calls("staging", "production", "staging"), "done"]);
    assert.equal((await team.run()).stopReason, "TOOL_INTERRUPT");
    const { pendingTools } = await team.host.send(TeamInspect, { teamId: "t" });
    const [first, other, third] = pendingTools.map(({ ref }) => ref);
    const added = await team.host.send(ApprovalsAdd, {
      rule: rule({ scope: "once", team: "t", input: { to: "staging" } }),
    });
    assert.deepEqual(added.answered, [first]);
    const more = await team.host.send(ApprovalsAdd, {
      rule: rule({ scope: "run", team: "t", input: { to: "staging" } }),
    });
    assert.deepEqual(more.answered, [third]);
    const { result } = await team.host.send(TeamResolveTools, { teamId: "t", deny: [{ ref: other ?? "" }] });
    assert.equal(result?.status.code, "success");
    assert.deepEqual(team.deployed, ["staging", "staging"]);
    assert.deepEqual(
      await refusal(team.host.send(TeamResolveTools, { teamId: "t", deny: [{ ref: first ?? "" }] })).then(
        ({ code }) => code,
      ),
      -32005,
    );
  });

  it("for a run apply until the run is over, through its tool interrupts", async () => {
    await using team = await hostWith([calls("staging"), calls("staging"), "done"]);
    assert.equal((await team.run()).stopReason, "TOOL_INTERRUPT");
    const { answered } = await team.host.send(ApprovalsAdd, { rule: rule({ scope: "run", team: "t" }) });
    assert.equal(answered.length, 1);
    await team.host.event("t", (event) => event.type === "run/ended" && event.stopReason !== "TOOL_INTERRUPT");
    assert.deepEqual(team.deployed, ["staging", "staging"]);
    assert.deepEqual(await team.host.send(ApprovalsList, {}), { rules: [] });
  });

  it("offer what could be allowed of a pending call", async () => {
    await using team = await hostWith([calls("staging"), "done"]);
    await team.run();
    const { pendingTools } = await team.host.send(TeamInspect, { teamId: "t" });
    const ref = pendingTools[0]?.ref ?? "";
    const { choices } = await team.host.send(ApprovalsSuggest, { teamId: "t", ref });
    assert.deepEqual(
      choices.map(({ rules }) => rules),
      [[{ tool: "deploy", input: { to: "staging" } }], [{ tool: "deploy" }]],
    );
    assert.equal((await refusal(team.host.send(ApprovalsSuggest, { teamId: "t", ref: "c9" }))).code, -32005);
  });

  it("of the scope always are kept in the user's folder and apply in other workspaces, until they are removed", async () => {
    using scratch = new Scratch();
    const globalStoragePath = join(scratch.path, "user");
    await using here = await hostWith(["hm"], { storagePath: join(scratch.path, "a"), globalStoragePath });
    const added = await here.host.send(ApprovalsAdd, { rule: rule({ scope: "always" }) });
    await using there = await hostWith([calls("staging"), "done"], {
      storagePath: join(scratch.path, "b"),
      globalStoragePath,
    });
    assert.equal((await there.run()).status.code, "success");
    assert.deepEqual(await there.host.send(ApprovalsRemove, { id: added.rule.id }), { removed: true });
    assert.deepEqual(await here.host.send(ApprovalsList, {}), { rules: [] });
    assert.deepEqual(await here.host.send(ApprovalsRemove, { id: added.rule.id }), { removed: false });
  });

  it("that cannot be read: every call asks the user, who gets one warning", async () => {
    using scratch = new Scratch();
    writeFileSync(join(scratch.path, "approvals.json"), "{");
    await using team = await hostWith([calls("staging"), "done"], { globalStoragePath: scratch.path });
    await team.host.send(ApprovalsAdd, { rule: rule() });
    assert.equal((await team.run()).stopReason, "TOOL_INTERRUPT");
    assert.equal(team.host.shown.length, 1);
    assert.match(team.host.shown[0] ?? "", /approvals\.json can ?not be read/);
  });

  it("are the user's: a team's own declaration of a tool cannot remove the approval that its client asks for", async () => {
    await using host = await HostClient.start({ onToolCall: () => ({ output: "deployed" }) });
    const definition = roundRobin({
      names: ["ann"],
      model: { provider: "practice", pace: 0, lines: { ann: [calls("production"), "done"] } },
      maxTurns: 1,
      participants: { tools: [{ ...deploy, approval: "never" }] },
    });
    await host.send(TeamOpen, { teamId: "t", definition });
    await host.send(ToolsRegister, { tools: [deploy] });
    assert.equal((await host.send(TeamRun, { teamId: "t", task: "go" })).stopReason, "TOOL_INTERRUPT");
  });

  it("that allow an edit that the user was shown let it make exactly that change, or none", async () => {
    for (const isChanged of [false, true]) {
      using scratch = new Scratch();
      const file = join(scratch.path, "a.txt");
      writeFileSync(file, "one\n");
      await using host = await HostClient.start({ folders: [pathToFileURL(scratch.path).href] });
      const input = { path: "a.txt", old: "one", new: "two" };
      const definition = roundRobin({
        names: ["ann"],
        model: {
          provider: "practice",
          pace: 0,
          lines: { ann: [{ calls: [{ tool: "editFile", input }] }, "done"] },
        },
        maxTurns: 1,
        participants: { tools: ["editFile"] },
      });
      await host.send(TeamOpen, { teamId: "t", definition });
      await host.send(TeamRun, { teamId: "t", task: "go" });
      const ref = (await host.send(TeamInspect, { teamId: "t" })).pendingTools[0]?.ref ?? "";
      const preview = await host.send(TeamPreviewTool, { teamId: "t", ref });
      assert.ok(preview !== null && "digest" in preview && preview.digest !== undefined);
      if (isChanged) writeFileSync(file, "one, and more\n");
      const shown = { teamId: "t", ref, preview: preview.digest };
      const ended = host.event("t", (event) => event.type === "tool/executed");
      const { answered } = await host.send(ApprovalsAdd, { rule: rule({ tool: "editFile", path: "a.txt" }), shown });
      assert.deepEqual(answered, [ref]);
      await ended;
      assert.equal(readFileSync(file, "utf8"), isChanged ? "one, and more\n" : "two\n");
    }
  });

  it("that are invalid are refused with every problem", async () => {
    await using host = await HostClient.start();
    for (const [wrong, path] of [
      [{ ...rule(), command: "ls", path: "src" }, "rule.path"],
      [{ ...rule(), scope: "run" }, "rule.team"],
      [{ ...rule(), command: "a; b" }, "rule.command"],
      [{ ...rule(), decision: "perhaps" }, "rule.decision"],
      [{ ...rule(), comand: "ls" }, "rule.comand"],
    ] as const) {
      const { code, data } = await refusal(host.sendRaw("approvals/add", { rule: wrong }));
      assert.equal(code, -32602);
      assert.deepEqual(
        data.problems?.map((problem) => problem.path),
        [path],
      );
    }
  });
});
