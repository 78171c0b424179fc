import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { areaViolations, type Violation } from "./areas.ts";

/** The violations in a project with these files. */
function violationsOf(files: Readonly<Record<string, string>>): Violation[] {
  const project = mkdtempSync(join(tmpdir(), "gavel-rule-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    return areaViolations(project);
  } finally {
    rmSync(project, { recursive: true });
  }
}

/** Each forbidden import, alone in its file. */
const forbidden: readonly (readonly [file: string, specifier: string])[] = [
  ["client/main.ts", "../server/main.ts"],
  ["client/main.ts", "./webview/main.tsx"],
  ["client/main.ts", "vscode-languageserver/node"],
  ["client/common/page-messages.ts", "../session.ts"],
  ["client/common/page-messages.ts", "../webview/main.tsx"],
  ["client/common/page-messages.ts", "node:path"],
  ["client/common/page-messages.ts", "vscode"],
  ["client/webview/main.tsx", "../session.ts"],
  ["client/webview/main.tsx", "node:path"],
  ["client/webview/main.tsx", "vscode"],
  ["server/main.ts", "../client/main.ts"],
  ["server/host/connection.ts", "../../client/main.ts"],
  ["server/host/connection.ts", "vscode"],
  ["server/engine/team.ts", "../host/store.ts"],
  ["server/engine/team.ts", "../models/openai.ts"],
  ["server/engine/team.ts", "../tools/read-file.ts"],
  ["server/engine/team.ts", "../main.ts"],
  ["server/engine/team.ts", "node:fs"],
  ["server/engine/team.ts", "openai"],
  ["server/models/openai.ts", "../host/store.ts"],
  ["server/models/openai.ts", "../tools/read-file.ts"],
  ["server/tools/run-command.ts", "../models/openai.ts"],
  ["server/tools/run-command.ts", "vscode-jsonrpc"],
  ["shared/contract/team.ts", "../../server/engine/team.ts"],
  ["shared/contract/team.ts", "node:crypto"],
  ["shared/contract/team.ts", "yaml"],
  ["shared/contract/team.ts", "../../root.ts"],
];

for (const [file, specifier] of forbidden) {
  test(`${file} must not import ${specifier}`, () => {
    const [violation, ...others] = violationsOf({ [file]: `import { x } from "${specifier}";\n` });
    assert.equal(violation?.file, file);
    assert.equal(violation?.line, 1);
    assert.equal(violation?.imported, specifier);
    assert.deepEqual(others, []);
  });
}

const allowed: readonly (readonly [file: string, specifier: string])[] = [
  ["client/main.ts", "../shared/contract/team.ts"],
  ["client/main.ts", "vscode"],
  ["client/common/page-messages.ts", "../../shared/contract/team.ts"],
  ["client/webview/main.tsx", "../../shared/state/reducer.ts"],
  ["client/webview/main.tsx", "../common/page-messages.ts"],
  ["client/webview/main.tsx", "preact"],
  ["server/main.ts", "./host/connection.ts"],
  ["server/host/connection.ts", "../engine/team.ts"],
  ["server/host/connection.ts", "vscode-languageserver/node"],
  ["server/host/language/schema.ts", "../../../media/team-file.schema.json"],
  ["server/models/openai.ts", "../engine/model.ts"],
  ["server/tools/run-command.ts", "node:child_process"],
  ["server/engine/team.ts", "../../shared/contract/team.ts"],
  ["server/engine/team.test.ts", "node:test"],
  ["server/engine/pattern/pattern.ts", "re2js"],
  ["shared/contract/team.ts", "zod"],
  ["shared/contract/team.test.ts", "node:assert/strict"],
];

for (const [file, specifier] of allowed) {
  test(`${file} may import ${specifier}`, () => {
    assert.deepEqual(violationsOf({ [file]: `import { x } from "${specifier}";\n` }), []);
  });
}

test("every form of import is found, with its line", () => {
  const source = [
    'import type { A } from "node:a";',
    "import {",
    "  b,",
    '} from "node:b";',
    'export * from "node:c";',
    'import "node:d";',
    'const e = await import("node:e");',
    'type F = import("node:f").F;',
    "",
  ].join("\n");
  const seen = violationsOf({ "shared/all.ts": source }).map(({ line, imported }) => `${line} ${imported}`);
  assert.deepEqual(seen, ["1 node:a", "4 node:b", "5 node:c", "6 node:d", "7 node:e", "8 node:f"]);
});

test("comments are ignored, and a string that contains the start of a comment is not one", () => {
  const source = [
    '// import { a } from "node:a";',
    '/* import("node:b") */',
    'const glob = "src/**/*.ts";',
    'import { c } from "node:c"; // a string above opens no comment */',
    "",
  ].join("\n");
  const seen = violationsOf({ "shared/comments.ts": source }).map(({ line, imported }) => `${line} ${imported}`);
  assert.deepEqual(seen, ["4 node:c"]);
});
