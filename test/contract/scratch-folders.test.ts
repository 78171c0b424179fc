import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { PracticeLine } from "../../shared/contract/definition.ts";
import {
  ApprovalsAdd,
  EditsUndo,
  FilesFind,
  TeamFork,
  TeamInspect,
  TeamOpen,
  TeamResolveTools,
  TeamRun,
} from "../../shared/contract/requests.ts";
import { HostClient, type HostOptions } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

const lines: PracticeLine[] = [
  {
    calls: [
      { tool: "readFile", input: { path: "README.md" } },
      { tool: "writeFile", input: { path: "new.txt", content: "made by ann" } },
      { tool: "runCommand", input: { command: "echo run > ran.txt" } },
    ],
  },
  "done",
];
const team = roundRobin({
  names: ["ann"],
  model: { provider: "practice", pace: 0, lines: { ann: lines } },
  maxTurns: 1,
  participants: { tools: ["readFile", "writeFile", "runCommand"] },
});

/** A host whose scratch folders are where the editor has them: in the user's own folder, beside the approval rules. */
async function started(scratch: Scratch, options: HostOptions = {}) {
  const at = (name: string): string => join(scratch.path, name);
  for (const [folder, text] of [
    ["project", "the project"],
    ["global/scratch/tab", "the sample"],
  ] as const) {
    mkdirSync(at(folder), { recursive: true });
    writeFileSync(join(at(folder), "README.md"), text);
    writeFileSync(join(at(folder), "one.team.yaml"), JSON.stringify(team));
  }
  const host = await HostClient.start({
    storagePath: at("store"),
    globalStoragePath: at("global"),
    scratchPath: at("global/scratch"),
    settings: { "gavel.sandbox": { enabled: true } },
    ...options,
  });
  return { host, at, uriOf: (name: string) => pathToFileURL(at(name)).href };
}

const project = (scratch: Scratch): HostOptions => ({ folders: [pathToFileURL(join(scratch.path, "project")).href] });

/** Runs the team, and approves its calls. Returns what it read. */
async function play(host: HostClient, teamId: string): Promise<string> {
  await host.send(TeamRun, { teamId, task: "go" });
  const { pendingTools } = await host.send(TeamInspect, { teamId });
  await host.send(TeamResolveTools, { teamId, restart: pendingTools.map(({ ref }) => ({ ref })) });
  const executed = host.events.get(teamId)?.filter((event) => event.type === "tool/executed") ?? [];
  const failed = executed.filter((event) => event.type === "tool/executed" && event.isError);
  assert.deepEqual(failed, []);
  return executed.map((event) => (event.type === "tool/executed" ? JSON.stringify(event.output) : "")).join("\n");
}

describe('a team of a scratch folder (PROTOCOL.md, "Scratch folders")', () => {
  it("works on the folder of its file, and leaves the client's folders alone", async () => {
    using scratch = new Scratch();
    const { host, at, uriOf } = await started(scratch, project(scratch));
    await using _ = host;
    await host.send(TeamOpen, { teamId: "t", uri: uriOf("global/scratch/tab/one.team.yaml") });
    assert.match(await play(host, "t"), /the sample/);
    assert.equal(readFileSync(at("global/scratch/tab/new.txt"), "utf8"), "made by ann");
    assert.equal(readFileSync(at("global/scratch/tab/ran.txt"), "utf8"), "run\n");
    assert.equal(existsSync(at("project/new.txt")) || existsSync(at("project/ran.txt")), false);
    await host.send(EditsUndo, { teamId: "t" });
    assert.equal(existsSync(at("global/scratch/tab/new.txt")), false);
  });

  it("has its own files found, and a team of the workspace those of the workspace", async () => {
    using scratch = new Scratch();
    const { host, uriOf } = await started(scratch, project(scratch));
    await using _ = host;
    await host.send(TeamOpen, { teamId: "sample", uri: uriOf("global/scratch/tab/one.team.yaml") });
    await host.send(TeamOpen, { teamId: "own", uri: uriOf("project/one.team.yaml") });
    const found = async (teamId?: string) => {
      const { files } = await host.send(FilesFind, { query: "readme", ...(teamId === undefined ? {} : { teamId }) });
      return files.map(({ uri }) => uri);
    };
    assert.deepEqual(await found("sample"), [uriOf("global/scratch/tab/README.md")]);
    assert.deepEqual(await found("own"), [uriOf("project/README.md")]);
    assert.deepEqual(await found(), [uriOf("project/README.md")]);
  });

  it("keeps its folder in a copy, and after the host was started again", async () => {
    using scratch = new Scratch();
    const first = await started(scratch, project(scratch));
    await first.host.send(TeamOpen, { teamId: "t", uri: first.uriOf("global/scratch/tab/one.team.yaml") });
    await first.host.send(TeamFork, { teamId: "t", newTeamId: "copy" });
    assert.match(await play(first.host, "copy"), /the sample/);
    await first.host[Symbol.asyncDispose]();
    const again = await started(scratch, project(scratch));
    await using _ = again.host;
    await again.host.send(TeamOpen, { teamId: "t" });
    assert.match(await play(again.host, "t"), /the sample/);
  });

  it("is not covered by a rule of the workspace, and a team of the workspace is not covered by its run's rule", async () => {
    using scratch = new Scratch();
    const { host, uriOf } = await started(scratch, project(scratch));
    await using _ = host;
    const waiting = async (teamId: string) =>
      (await host.send(TeamInspect, { teamId })).pendingTools.map(({ name }) => name).sort();
    for (const [teamId, file] of [
      ["sample", "global/scratch/tab/one.team.yaml"],
      ["own", "project/one.team.yaml"],
    ] as const) {
      await host.send(TeamOpen, { teamId, uri: uriOf(file) });
      await host.send(TeamRun, { teamId, task: "go" });
    }
    await host.send(ApprovalsAdd, { rule: { decision: "allow", tool: "writeFile", scope: "workspace" } });
    assert.deepEqual(await waiting("sample"), ["runCommand", "writeFile"]);
    assert.deepEqual(await waiting("own"), ["runCommand"]);
    await host.send(ApprovalsAdd, { rule: { decision: "allow", tool: "*", scope: "run", team: "sample" } });
    assert.deepEqual(await waiting("sample"), []);
    assert.deepEqual(await waiting("own"), ["runCommand"]);
  });

  it("cannot reach what Gavel keeps beside the scratch folders", async () => {
    using scratch = new Scratch();
    const { host, at, uriOf } = await started(scratch, project(scratch));
    await using _ = host;
    writeFileSync(at("global/approvals.json"), '{"rules":[]}');
    const reads = roundRobin({
      names: ["ann"],
      model: {
        provider: "practice",
        pace: 0,
        lines: { ann: [{ calls: [{ tool: "readFile", input: { path: at("global/approvals.json") } }] }, "done"] },
      },
      maxTurns: 1,
      participants: { tools: ["readFile"] },
    });
    await host.send(TeamOpen, { teamId: "t", uri: uriOf("global/scratch/tab/one.team.yaml"), definition: reads });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const executed = await host.event("t", ({ type }) => type === "tool/executed");
    assert.ok(executed.type === "tool/executed" && executed.isError);
  });
});

describe("a client without a folder", () => {
  it("has its teams work in a scratch folder of the host", async () => {
    using scratch = new Scratch();
    const { host, at } = await started(scratch);
    await using _ = host;
    mkdirSync(at("global/scratch/no-folder"), { recursive: true });
    writeFileSync(at("global/scratch/no-folder/README.md"), "the scratch folder");
    await host.send(TeamOpen, { teamId: "t", definition: team });
    assert.match(await play(host, "t"), /the scratch folder/);
    assert.equal(readFileSync(at("global/scratch/no-folder/new.txt"), "utf8"), "made by ann");
  });

  it("is told in a sentence that the folder cannot be made", {
    skip: process.platform !== "linux" && "needs /proc",
  }, async () => {
    await using host = await HostClient.start({ scratchPath: "/proc/gavel" });
    await host.send(TeamOpen, { teamId: "t", definition: team });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const read = await host.event("t", ({ type }) => type === "tool/executed");
    assert.ok(read.type === "tool/executed" && read.isError);
    assert.match(String(read.output), /^The folder .* cannot be read; open one that exists\.$/);
  });
});
