import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { manifestProblems } from "./manifest.ts";

/** What the check says about a manifest and a client/commands/command-table.ts (no client at all without one). */
function problemsOf(contributes: object, table?: string): string[] {
  const project = mkdtempSync(join(tmpdir(), "gavel-manifest-"));
  try {
    writeFileSync(join(project, "package.json"), JSON.stringify({ contributes }));
    if (table !== undefined) {
      mkdirSync(join(project, "client", "commands"), { recursive: true });
      writeFileSync(join(project, "client", "commands", "command-table.ts"), table);
    }
    return manifestProblems(project);
  } finally {
    rmSync(project, { recursive: true });
  }
}

const run = { commands: [{ command: "gavel.runTeam", title: "Run" }] };

test("the manifest check is content while there is no client", () => {
  assert.deepEqual(problemsOf(run), []);
});

test("the manifest check knows a command by a key of the table and by a call to registerCommand", () => {
  assert.deepEqual(problemsOf(run, 'const table = {\n  "gavel.runTeam": run,\n};\n'), []);
  assert.deepEqual(problemsOf(run, 'commands.registerCommand("gavel.runTeam", run);\n'), []);
});

test("the manifest check names a contributed command that no code registers", () => {
  assert.match(problemsOf(run, "").join("\n"), /contributes gavel\.runTeam, which no code/);
});

test("the manifest check names a registered command that the manifest leaves out", () => {
  assert.match(
    problemsOf({}, '  "gavel.interrupt": interrupt,\n').join("\n"),
    /client\/commands\/command-table\.ts registers gavel\.interrupt/,
  );
});

test("the manifest check names a key or a menu entry for a command that does not exist", () => {
  const contributes = {
    ...run,
    keybindings: [{ command: "gavel.gone" }],
    menus: { "view/title": [{ command: "gavel.lost" }, { submenu: "gavel.more" }] },
  };
  const problems = problemsOf(contributes, '  "gavel.runTeam": run,\n').join("\n");
  assert.match(problems, /gavel\.gone/);
  assert.match(problems, /gavel\.lost/);
});
