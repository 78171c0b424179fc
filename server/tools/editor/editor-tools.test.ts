import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type * as z from "zod";
import {
  EditorPlaces,
  EditorProblems,
  EditorSymbols,
  EditorTerminal,
  EditorTestTasks,
} from "../../../shared/contract/editor-requests.ts";
import type { RequestMessage } from "../../../shared/contract/message-type.ts";
import { SensitiveFiles } from "../../engine/index.ts";
import { FileEditor } from "../edits/file-editor.ts";
import { workspaceTools } from "../index.ts";
import { folderOf, runTool, testCall } from "../testing.ts";
import type { AskEditor } from "./ask-editor.ts";

/** Answers as an editor would, by method; each answer passes the protocol's schema. */
function editorThat(answers: Readonly<Record<string, (params: unknown) => unknown>>): AskEditor {
  return async <P extends z.ZodType, R extends z.ZodType>(
    { method, params, result }: RequestMessage<P, R>,
    given: z.input<P>,
  ) => result.parse(answers[method]?.(params.parse(given)) ?? { failure: `Nothing answers ${method}.` });
}

function callIn(
  root: string,
  name: string,
  input: unknown,
  ask?: AskEditor,
  { context } = testCall(),
): Promise<unknown> {
  const files = new SensitiveFiles({ roots: () => [root] });
  const workspace = { roots: () => [root], files };
  const tool = workspaceTools(workspace, new FileEditor(workspace), { ask }).get(name);
  return runTool(tool, input, context);
}

const range = (line: number, character = 0, last = line) => ({
  start: { line, character },
  end: { line: last, character: character + 1 },
});

test("problems lists what the editor shows, with lines from 1, the most severe first", async (t) => {
  const root = folderOf(t, { "src/a.ts": "let x\n", "b.ts": "" });
  const uri = (path: string): string => pathToFileURL(join(root, path)).href;
  const ask = editorThat({
    [EditorProblems.method]: () => ({
      problems: [
        { uri: uri("b.ts"), range: range(0), severity: "warning", message: "Unused.\n  Really.", source: "lint" },
        { uri: uri("src/a.ts"), range: range(4, 6), severity: "error", message: "Wrong", source: "ts", code: "2322" },
      ],
      more: 7,
    }),
  });
  assert.equal(
    await callIn(root, "problems", {}, ask),
    "src/a.ts:5:7: error: Wrong (ts 2322)\nb.ts:1:1: warning: Unused. Really. (lint)\n[7 more problems not shown.]",
  );
});

test("problems of one file are asked for by its URI, and a file without any is said so", async (t) => {
  const root = folderOf(t, { "src/a.ts": "let x\n" });
  const asked: unknown[] = [];
  const ask = editorThat({
    [EditorProblems.method]: (params) => {
      asked.push(params);
      return { problems: [] };
    },
  });
  assert.equal(
    await callIn(root, "problems", { path: "src/a.ts" }, ask),
    'The editor shows no problems in "src/a.ts".',
  );
  assert.deepEqual(asked, [{ uri: pathToFileURL(join(root, "src/a.ts")).href }]);
});

test("places outside the workspace, in secret files and denied by rules are left out and counted", async (t) => {
  const root = folderOf(t, { "a.ts": "use(key)\nkey\n", ".env": "key=1\n", "denied.ts": "key\n" });
  const places = ["a.ts", ".env", "denied.ts"].map((path) => ({
    uri: pathToFileURL(join(root, path)).href,
    range: range(0),
  }));
  const outside = { uri: "file:///usr/lib/lib.d.ts", range: range(0) };
  const ask = editorThat({
    [EditorPlaces.method]: () => ({ places: [...places, outside, { ...outside, uri: "git:/x" }] }),
  });
  const call = testCall();
  const context = { ...call.context, leavesOut: async (path: string) => path.endsWith("denied.ts") };
  assert.equal(
    await callIn(root, "references", { path: "a.ts", symbol: "key", line: 1 }, ask, { ...call, context }),
    "a.ts:1: use(key)\n[2 files outside the workspace left out.]\n[1 file that may hold secrets left out.]\n" +
      "[1 file was left out because of the user's approval rules.]",
  );
});

test("a symbol is named by its name and line; the position that the editor is asked about is exact", async (t) => {
  const root = folderOf(t, { "a.ts": "const keys = 1;\nuse(keys.key);\n" });
  const asked: unknown[] = [];
  const ask = editorThat({
    [EditorPlaces.method]: (params) => {
      asked.push(params);
      return { places: [] };
    },
  });
  const uri = pathToFileURL(join(root, "a.ts")).href;
  const none = await callIn(root, "definition", { path: "a.ts", symbol: "keys.key" }, ask);
  assert.equal(none, 'The editor knows no definition of "keys.key".');
  assert.deepEqual(asked, [{ uri, position: { line: 1, character: 9 }, of: "definition" }]);
  await assert.rejects(callIn(root, "references", { path: "a.ts", symbol: "key", line: 1 }, ask), {
    message: 'Line 1 of "a.ts" does not have "key"; it is on line 2.',
  });
  await assert.rejects(callIn(root, "references", { path: "a.ts", symbol: "other" }, ask), {
    message: '"other" does not occur in "a.ts"; read the file again.',
  });
  await assert.rejects(callIn(root, "references", { path: "a.ts", symbol: "key", line: 9 }, ask), {
    message: '"a.ts" has 3 lines; there is no line 9.',
  });
});

test("symbols gives the outline of a file, or the symbols of all files with a name", async (t) => {
  const root = folderOf(t, { "a.ts": "" });
  const uri = pathToFileURL(join(root, "a.ts")).href;
  const ask = editorThat({
    [EditorSymbols.method]: (params) => ({
      symbols:
        "name" in (params as object)
          ? [{ name: "run", kind: "method", uri, range: range(2), container: "Job" }]
          : [
              { name: "Job", kind: "class", uri, range: range(0, 0, 9), depth: 0 },
              { name: "run", kind: "method", uri, range: range(2), depth: 1 },
            ],
    }),
  });
  assert.equal(await callIn(root, "symbols", { path: "a.ts" }, ask), "class Job: lines 1-10\n  method run: line 3");
  assert.equal(await callIn(root, "symbols", { name: "ru" }, ask), "a.ts:3: method run (in Job)");
  await assert.rejects(callIn(root, "symbols", {}, ask), {
    message: "The input of symbols is invalid: give either path or name.",
  });
});

test("a file outside the workspace is refused before the editor is asked", async (t) => {
  const root = folderOf(t, { "a.ts": "" });
  await assert.rejects(callIn(root, "problems", { path: "/etc/passwd" }, editorThat({})), {
    message: '"/etc/passwd" is outside the workspace; give a path within it.',
  });
});

test("what the editor cannot answer is one sentence, and so is that there is no editor", async (t) => {
  const root = folderOf(t, { "a.ts": "" });
  const ask = editorThat({ [EditorTerminal.method]: () => ({ failure: "No command has run." }) });
  await assert.rejects(callIn(root, "terminalOutput", {}, ask), { message: "No command has run." });
  await assert.rejects(callIn(root, "problems", {}), {
    message: "problems needs an editor such as VS Code, and this team does not run in one; do without it.",
  });
});

test("testTasks lists the command and the folder of each task, for runCommand", async (t) => {
  const root = folderOf(t, { "web/package.json": "{}" });
  const folder = pathToFileURL(join(root, "web")).href;
  const ask = editorThat({
    [EditorTestTasks.method]: () => ({
      tasks: [
        { name: "npm: test", command: "npm run test", folder },
        { name: "other", folder },
        { name: "outside", command: "true", folder: "file:///usr" },
      ],
    }),
  });
  assert.equal(
    await callIn(root, "testTasks", {}, ask),
    "npm: test: npm run test (in web)\nother: [no command line] (in web)\n[1 file outside the workspace left out.]",
  );
});
