import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { PracticeLine } from "../../shared/contract/definition.ts";
import {
  ApprovalsAdd,
  TeamInspect,
  TeamOpen,
  TeamPreviewTool,
  TeamResolveTools,
  TeamRun,
} from "../../shared/contract/requests.ts";
import { HostClient, type HostOptions } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

/** A host with a workspace, and a team "t" whose ann runs a command. */
async function hostRunning(scratch: Scratch, command: string, options: HostOptions = {}) {
  const workspace = join(scratch.path, "workspace");
  mkdirSync(join(workspace, ".vscode"), { recursive: true });
  writeFileSync(join(workspace, ".vscode", "tasks.json"), "{}");
  writeFileSync(join(workspace, ".env"), "PASSWORD=hunter2");
  writeFileSync(join(workspace, "plans.txt"), "the plans");
  const host = await HostClient.start({
    ...options,
    storagePath: join(scratch.path, "store"),
    folders: [pathToFileURL(workspace).href],
  });
  const lines: PracticeLine[] = [{ calls: [{ tool: "runCommand", input: { command } }] }, "done"];
  const model = { provider: "practice" as const, pace: 0, lines: { ann: lines } };
  const participants = { tools: ["runCommand"] };
  await host.send(TeamOpen, {
    teamId: "t",
    definition: roundRobin({ names: ["ann"], model, maxTurns: 1, participants }),
  });
  await host.send(TeamRun, { teamId: "t", task: "go" });
  const pending = async () => (await host.send(TeamInspect, { teamId: "t" })).pendingTools;
  const output = async () => {
    const executed = await host.event("t", ({ type }) => type === "tool/executed");
    return executed.type === "tool/executed" ? String(executed.output) : "";
  };
  const [call] = await pending();
  const preview = await host.send(TeamPreviewTool, { teamId: "t", ref: call?.ref ?? "" });
  const close = () => host[Symbol.asyncDispose]();
  return { host, workspace, ref: call?.ref ?? "", pending, output, preview, [Symbol.asyncDispose]: close };
}

const sandboxState = async (): Promise<unknown> => {
  using scratch = new Scratch();
  await using running = await hostRunning(scratch, "true");
  return running.preview;
};

const state = JSON.stringify(await sandboxState());
const skip = state === '{"sandbox":"on"}' ? false : `needs bubblewrap: ${state}`;

describe('a command in the sandbox (PROTOCOL.md, "A command that fails in the sandbox")', { skip }, () => {
  it("that the sandbox makes fail is pending again; rules do not answer, and the user's answer runs it outside", async () => {
    using scratch = new Scratch();
    await using running = await hostRunning(scratch, "echo new > .vscode/tasks.json");
    const { host, workspace, ref, pending, output } = running;
    await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref }] });
    const [call] = await pending();
    assert.partialDeepStrictEqual(call, { ref, interrupt: { kind: "runOutsideSandbox" } });
    assert.equal(call?.approval, undefined);
    assert.equal(readFileSync(join(workspace, ".vscode/tasks.json"), "utf8"), "{}");
    await host.send(ApprovalsAdd, { rule: { decision: "allow", tool: "*", scope: "workspace" } });
    assert.equal((await pending()).length, 1);
    await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref }] });
    assert.equal((await pending()).length, 1, "a restart without the metadata runs it in the sandbox again");
    await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref, metadata: { outsideSandbox: true } }] });
    assert.equal(await output(), "exit code 0");
    assert.equal(readFileSync(join(workspace, ".vscode/tasks.json"), "utf8"), "new\n");
  });

  it("does not find secret files, what a rule denies, or Gavel's own store", async () => {
    using scratch = new Scratch();
    await using running = await hostRunning(scratch, "sh read.sh");
    const { host, workspace, ref, output } = running;
    writeFileSync(join(workspace, "read.sh"), `cat .env plans.txt; ls ${scratch.path}/store; echo read`);
    assert.ok(existsSync(join(scratch.path, "store")));
    await host.send(ApprovalsAdd, { rule: { decision: "deny", tool: "*", path: "plans.txt", scope: "workspace" } });
    await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref }] });
    assert.match(await output(), /read\nexit code 0$/);
    assert.doesNotMatch(await output(), /hunter2|the plans|^gavel|sqlite/im);
  });

  it("runs without one when the user turns it off, and the preview says so", async () => {
    using scratch = new Scratch();
    const settings = { "gavel.sandbox.enabled": false };
    await using running = await hostRunning(scratch, "cat .env", { settings });
    const { host, preview, ref, output } = running;
    assert.deepEqual(preview, { sandbox: "off", reason: "the setting gavel.sandbox.enabled turns it off" });
    await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref }] });
    assert.match(await output(), /hunter2/);
  });

  it("gets the variables that the user adds", async () => {
    using scratch = new Scratch();
    const settings = { "gavel.commands.environment": ["GAVEL_TEST_*"] };
    process.env["GAVEL_TEST_A"] = "added";
    await using running = await hostRunning(scratch, "echo $GAVEL_TEST_A", { settings });
    const { host, ref, output } = running;
    delete process.env["GAVEL_TEST_A"];
    await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref }] });
    assert.match(await output(), /^added\n/);
  });
});
