import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { NewApprovalRule } from "../../shared/contract/approval.ts";
import {
  ApprovalsAdd,
  ApprovalsSuggest,
  EditsUndo,
  TeamInspect,
  TeamOpen,
  TeamResolveTools,
  TeamRun,
} from "../../shared/contract/requests.ts";
import { HostClient, type HostOptions } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

type Call = readonly [tool: string, input: Record<string, unknown>];

const FILES: Readonly<Record<string, string>> = {
  ".env": "KEY=1",
  "package.json": "{}",
  "src/a.ts": "KEY",
  "notes.secret": "KEY=2",
  "deploy/run.lua": "",
};

/** A host over a folder with {@link FILES} in it, and ann, who makes these calls in one step. */
async function calling(scratch: Scratch, calls: readonly Call[], options: HostOptions = {}) {
  const root = join(scratch.path, "work");
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const host = await HostClient.start({ folders: [pathToFileURL(root).href], ...options });
  const lines = [{ calls: calls.map(([tool, input]) => ({ tool, input })) }, "done"];
  const tools = [...new Set(calls.map(([tool]) => tool))];
  const model = { provider: "practice" as const, pace: 0, lines: { ann: lines } };
  await host.send(TeamOpen, {
    teamId: "t",
    definition: roundRobin({ names: ["ann"], model, maxTurns: 1, participants: { tools } }),
  });
  const allow = (rule: Omit<NewApprovalRule, "decision" | "scope">) =>
    host.send(ApprovalsAdd, { rule: { ...rule, decision: "allow", scope: "workspace" } });
  const run = () => host.send(TeamRun, { teamId: "t", task: "go" });
  const pending = async () => (await host.send(TeamInspect, { teamId: "t" })).pendingTools;
  const outputs = () =>
    (host.events.get("t") ?? []).flatMap((event) => (event.type === "tool/executed" ? [event.output] : []));
  return { host, root, allow, run, pending, outputs, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

const write = (path: string, content = "{ }"): Call => ["writeFile", { path, content }];
const read = (path: string): Call => ["readFile", { path }];

describe("a file that leads to execution", () => {
  it("asks under a rule for the whole tool, and says why; other files do not", async () => {
    using scratch = new Scratch();
    await using team = await calling(scratch, [write("package.json"), write("src/a.ts")]);
    await team.allow({ tool: "writeFile" });
    assert.equal((await team.run()).stopReason, "TOOL_INTERRUPT");
    const pending = await team.pending();
    assert.deepEqual(
      pending.map(({ input, approval, reason }) => [input, approval, reason]),
      [
        [
          { path: "package.json", content: "{ }" },
          true,
          "package.json can run commands (package managers run its scripts), so this call needs the user's approval, or a rule for exactly this file.",
        ],
      ],
    );
    assert.equal(readFileSync(join(team.root, "src/a.ts"), "utf8"), "{ }");
  });

  it("is written once it is approved, and the edit can be undone", async () => {
    using scratch = new Scratch();
    await using team = await calling(scratch, [write("package.json")]);
    await team.run();
    const [call] = await team.pending();
    await team.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "" }] });
    assert.equal(readFileSync(join(team.root, "package.json"), "utf8"), "{ }");
    await team.host.send(EditsUndo, { teamId: "t" });
    assert.equal(readFileSync(join(team.root, "package.json"), "utf8"), "{}");
  });

  it("is offered a rule for exactly this file, which then is enough", async () => {
    using scratch = new Scratch();
    await using team = await calling(scratch, [write("package.json")]);
    await team.run();
    const [call] = await team.pending();
    const { choices } = await team.host.send(ApprovalsSuggest, { teamId: "t", ref: call?.ref ?? "" });
    assert.deepEqual(
      choices.map(({ rules }) => rules),
      [
        [{ tool: "writeFile", input: { path: "package.json", content: "{ }" } }],
        [{ tool: "writeFile", path: "package.json" }],
      ],
    );
    const { answered } = await team.allow({ tool: "writeFile", path: "package.json" });
    assert.deepEqual(answered, [call?.ref]);
  });
});

describe("a file that may hold secrets", () => {
  it("asks before it is read, although reading needs no approval, and is left out of searches", async () => {
    using scratch = new Scratch();
    await using team = await calling(scratch, [read(".env"), read("src/a.ts"), ["searchText", { text: "KEY" }]]);
    await team.run();
    const pending = await team.pending();
    assert.deepEqual(
      pending.map(({ input }) => input),
      [{ path: ".env" }],
    );
    assert.match(pending[0]?.reason ?? "", /^\.env may hold secrets \(/);
    assert.deepEqual(team.outputs(), [
      "KEY",
      "notes.secret:1: KEY=2\nsrc/a.ts:1: KEY\n[1 file that may hold secrets was left out: .env. To read one, use readFile, which asks the user.]",
    ]);
  });
});

describe("the user's settings gavel.protectedFiles and gavel.secretFiles", () => {
  const calls = [write("deploy/run.lua"), read("notes.secret"), ["searchText", { text: "KEY=2" }] as const];

  it("add files", async () => {
    using scratch = new Scratch();
    const settings = { "gavel.protectedFiles": ["deploy/**/*.lua"], "gavel.secretFiles": ["*.secret"] };
    await using team = await calling(scratch, calls, { settings });
    await team.allow({ tool: "*" });
    await team.run();
    assert.deepEqual((await team.pending()).map(({ reason }) => /\((.*)\)/.exec(reason ?? "")?.[1]).sort(), [
      "the setting gavel.protectedFiles names it",
      "the setting gavel.secretFiles names it",
    ]);
    assert.match(String(team.outputs()), /^\[No line in .*\],?\n?.*2 files that may hold secrets were left out/s);
  });

  it("hold for a stored team that runs before the client has said what they are", async () => {
    using scratch = new Scratch();
    const storagePath = join(scratch.path, "storage");
    const { root, ...first } = await calling(scratch, [read("notes.secret")], { storagePath });
    await first[Symbol.asyncDispose]();

    const settings = Promise.withResolvers<Record<string, unknown>>();
    const folders = [pathToFileURL(root).href];
    await using host = await HostClient.start({ storagePath, folders, settings: settings.promise });
    await host.send(TeamOpen, { teamId: "t" });
    const run = host.send(TeamRun, { teamId: "t", task: "go" });
    await host.event("t", (event) => event.type === "tool/requested");
    settings.resolve({ "gavel.secretFiles": ["*.secret"] });
    assert.equal((await run).stopReason, "TOOL_INTERRUPT");
  });

  it("are named in one warning when entries cannot be used", async () => {
    using scratch = new Scratch();
    await using team = await calling(scratch, calls, { settings: { "gavel.secretFiles": ["*.secret", 3] } });
    await team.run();
    assert.equal((await team.pending()).length, 2);
    assert.deepEqual(team.host.shown, [
      "The setting gavel.secretFiles has 1 entry that cannot be used; use at most 1000 globs that name files, of at most 1000 characters.",
    ]);
  });
});

describe("Gavel's own storage", () => {
  it("is not read or written, not even by an exact rule", async () => {
    using scratch = new Scratch();
    const storagePath = join(scratch.path, "work", "store");
    const calls = [
      read("store/gavel.db"),
      write("store/approvals.json"),
      ["runCommand", { command: "ls store" }] as const,
    ];
    await using team = await calling(scratch, calls, { storagePath, globalStoragePath: storagePath });
    await team.allow({ tool: "*" });
    for (const [tool, input] of calls) await team.allow({ tool, input });
    assert.equal((await team.run()).status.code, "success");
    for (const output of team.outputs()) assert.match(String(output), /is Gavel's own storage, which no tool may read/);
    assert.equal(team.outputs().length, 3);
    assert.equal(existsSync(join(storagePath, "approvals.json")), false);
    assert.ok(existsSync(join(storagePath, "gavel.db")));
  });
});
