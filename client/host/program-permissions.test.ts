import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProgramQuestion } from "../../shared/contract/program.ts";
import { programText } from "../../shared/text/program-text.ts";
import { memoryLog } from "../testing/memory-log.ts";
import { memoryMemento } from "../testing/memory-memento.ts";
import { ProgramPermissions } from "./program-permissions.ts";

const files: ProgramQuestion = {
  use: "mcpServer",
  name: "files",
  from: "file:///home/ann/project/.vscode/mcp.json",
  start: {
    command: "npx",
    args: ["-y", "server files", "/home/ann/project"],
    folder: "/home/ann/project",
    environment: [`TOKEN=\${input:token}`],
  },
  digest: "d1",
};

/** Permissions of a user who gives these answers, allowing everything after them; and what was asked. */
function permissionsOf(answers: readonly ("Start" | undefined)[] = []) {
  const asked: string[] = [];
  const given = [...answers];
  const everywhere = memoryMemento();
  const here = memoryMemento();
  const options = {
    everywhere,
    fileName: (uri: string) => uri.replace("file:///home/ann/project/", ""),
    ask: async <Label>(question: string, detail: string, label: Label) => {
      asked.push(`${question}\n${detail}`);
      return given.length > 0 && given.shift() === undefined ? undefined : label;
    },
    log: memoryLog().log,
  };
  const permissions = new ProgramPermissions({ ...options, here });
  const elsewhere = new ProgramPermissions({ ...options, here: memoryMemento() });
  return { permissions, elsewhere, asked };
}

test("the dialog shows the exact command, where it runs, its variables and the file that asks for it", async () => {
  const { permissions, asked } = permissionsOf();
  assert.equal(await permissions.isAllowed(files), true);
  assert.equal(
    asked[0],
    [
      'Start the MCP server "files"?',
      'npx -y "server files" /home/ann/project',
      "Folder: /home/ann/project",
      `Variable: TOKEN=\${input:token}`,
      "",
      "The program can do whatever you can do on this computer. Gavel asks before each call of its tools, not before what it does by itself.",
      "",
      "Asked for by .vscode/mcp.json.",
      "",
      "If you allow it, Gavel will not ask again in this workspace until any of this changes.",
    ].join("\n"),
  );
});

test("it asks again when the command, an argument, the folder, a variable, its value or the file changes", async () => {
  const { permissions, asked } = permissionsOf();
  const { start } = files;
  assert.ok("command" in start);
  const changes: readonly Partial<ProgramQuestion>[] = [
    {},
    { start: { ...start, command: "node" } },
    { start: { ...start, args: ["-y", "server", "files", "/home/ann/project"] } },
    { start: { ...start, folder: "/" } },
    { start: { ...start, environment: [`TOKEN=\${input:token}`, "NODE_OPTIONS=--require=./x.cjs"] } },
    { digest: "d2" },
    { from: "file:///home/ann/project/other.team.yaml" },
    { name: "other" },
    { use: "agent" },
  ];
  for (const change of changes) await permissions.isAllowed({ ...files, ...change });
  assert.equal(asked.length, changes.length);
  // The last one of each name and file is remembered: what was allowed before is not allowed any more.
  await permissions.isAllowed({ ...files, digest: "d2" });
  assert.equal(asked.length, changes.length);
  await permissions.isAllowed(files);
  assert.equal(asked.length, changes.length + 1);
});

test("what a file asks for is allowed in this workspace only, and what the settings ask for everywhere", async () => {
  const { permissions, elsewhere, asked } = permissionsOf();
  const { from: _, ...own } = files;
  await permissions.isAllowed(files);
  await permissions.isAllowed(own);
  assert.equal(await elsewhere.isAllowed(own), true);
  assert.equal(asked.length, 2);
  await elsewhere.isAllowed(files);
  assert.equal(asked.length, 3);
});

test("a refusal is not remembered, and what is forgotten is asked about again", async () => {
  const { permissions, asked } = permissionsOf([undefined]);
  assert.equal(await permissions.isAllowed(files), false);
  assert.equal(await permissions.isAllowed(files), true);
  assert.ok("command" in files.start);
  assert.deepEqual(permissions.all, [{ ...files, start: { ...files.start, environment: [] } }]);
  await permissions.forget(files);
  assert.deepEqual(permissions.all, []);
  await permissions.isAllowed(files);
  assert.equal(asked.length, 3);
});

test("those who ask at the same time share one dialog, and one that was cancelled before its turn is not asked", async () => {
  const { permissions, asked } = permissionsOf();
  const first = permissions.isAllowed(files);
  const second = permissions.isAllowed(files);
  const cancelled = permissions.isAllowed({ ...files, name: "late" }, () => true);
  assert.deepEqual(await Promise.all([first, second, cancelled]), [true, true, false]);
  assert.equal(asked.length, 1);
});

test("the dialog shows which of the user's own variables a server elsewhere gets, and in which header", async () => {
  const { permissions, asked } = permissionsOf();
  const start = { url: "https://a.example/mcp", headers: [`X-Language: \${env:CLOUD_SECRET}`] };
  await permissions.isAllowed({ ...files, start });
  assert.match(asked[0] ?? "", /^https:\/\/a\.example\/mcp\nHeader: X-Language: \$\{env:CLOUD_SECRET\}$/m);
});

test("each argument can be told apart, and what is invisible is written out", () => {
  const start = { command: "a b", args: ['say "x"', "", "re\u202everse", "--plain=1"], folder: "/", environment: [] };
  assert.equal(programText({ ...files, start }), '"a b" "say \\"x\\"" "" "re⟨U+202E⟩verse" --plain=1');
});
