import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type * as z from "zod";
import { EditorRename } from "../../../shared/contract/editor-requests.ts";
import type { RequestMessage } from "../../../shared/contract/message-type.ts";
import { isRecord } from "../../../shared/json-record.ts";
import type { Tool } from "../../engine/tool.ts";
import { workspaceTools } from "../index.ts";
import { folderOf, runTool, testCall } from "../testing.ts";
import { type AskEditor, noEditor } from "./ask-editor.ts";

/** An editor that replaces these characters of these lines. */
function renames(places: readonly (readonly [uri: string, line: number, from: number, to: number])[]): AskEditor {
  return async <P extends z.ZodType, R extends z.ZodType>(
    { method, result }: RequestMessage<P, R>,
    params: z.input<P>,
  ) => {
    assert.equal(method, EditorRename.method);
    const newText = isRecord(params) ? String(params["newName"]) : "";
    const uris = [...new Set(places.map(([uri]) => uri))];
    const files = uris.map((uri) => ({
      uri,
      edits: places
        .filter((place) => place[0] === uri)
        .map(([, line, from, to]) => ({
          range: { start: { line, character: from }, end: { line, character: to } },
          newText,
        })),
    }));
    return result.parse({ files });
  };
}

const uriOf = (root: string, path: string): string => pathToFileURL(join(root, path)).href;
const WANTED = { path: "a.ts", symbol: "old", line: 1, newName: "fresh" };

function renameIn(root: string, ask: AskEditor): Tool {
  const tool = workspaceTools({ roots: () => [root] }, undefined, { ask }).get("rename");
  if (tool === undefined) throw new Error("There is no rename.");
  return tool;
}

test("rename shows the changes of all files, states that it writes them, and makes exactly these", async (t) => {
  const root = folderOf(t, { "a.ts": "let old = 1;\r\nuse(old);\r\n", "b.ts": "old + old\n" });
  const [a, b] = [uriOf(root, "a.ts"), uriOf(root, "b.ts")];
  const tool = renameIn(
    root,
    renames([
      [b, 0, 6, 9],
      [a, 1, 4, 7],
      [b, 0, 0, 3],
      [a, 0, 4, 7],
    ]),
  );
  const preview = await tool.preview?.(WANTED);
  assert.partialDeepStrictEqual(preview, {
    files: [
      { path: "a.ts", file: join(root, "a.ts"), after: "let fresh = 1;\r\nuse(fresh);\r\n" },
      { path: "b.ts", before: "old + old\n", after: "fresh + fresh\n" },
    ],
  });
  assert.deepEqual(await tool.effects?.(WANTED), {
    paths: ["a.ts", "b.ts"].map((path) => ({ use: "write", path: join(root, path) })),
    hosts: [],
  });
  const metadata = { preview: isRecord(preview) ? preview["digest"] : undefined };
  const { context } = testCall();
  const done = await runTool(tool, WANTED, { ...context, metadata });
  assert.equal(done, 'Renamed "old" to "fresh" in 2 files: a.ts, b.ts.');
  assert.equal(readFileSync(join(root, "a.ts"), "utf8"), "let fresh = 1;\r\nuse(fresh);\r\n");
  assert.equal(readFileSync(join(root, "b.ts"), "utf8"), "fresh + fresh\n");
});

test("a rename other than the one that the user was shown is not made", async (t) => {
  const root = folderOf(t, { "a.ts": "let old = 1;\n", "b.ts": "old\n" });
  const tool = renameIn(
    root,
    renames([
      [uriOf(root, "a.ts"), 0, 4, 7],
      [uriOf(root, "b.ts"), 0, 0, 3],
    ]),
  );
  const preview = await tool.preview?.(WANTED);
  writeFileSync(join(root, "b.ts"), "old again\n");
  const metadata = { preview: isRecord(preview) ? preview["digest"] : undefined };
  await assert.rejects(runTool(tool, WANTED, { ...testCall().context, metadata }), {
    message:
      "The files have changed since the user was shown this rename, so nothing was changed; read them and try again.",
  });
  assert.equal(readFileSync(join(root, "a.ts"), "utf8"), "let old = 1;\n");
});

test("a rename that reaches outside the workspace, or a file that was not approved, changes nothing", async (t) => {
  const root = folderOf(t, { "in/a.ts": "let old = 1;\n", "out/lib.ts": "old\n", "in/b.ts": "old\n" });
  const inner = join(root, "in");
  const [a, b] = [uriOf(inner, "a.ts"), uriOf(inner, "b.ts")];
  const outside = renameIn(
    inner,
    renames([
      [a, 0, 4, 7],
      [uriOf(root, "out/lib.ts"), 0, 0, 3],
    ]),
  );
  await assert.rejects(runTool(outside, WANTED, testCall().context), {
    message: 'The rename of "old" would change files outside the workspace, so it was not made.',
  });
  const effects = await renameIn(inner, renames([[a, 0, 4, 7]])).effects?.(WANTED);
  await assert.rejects(
    async () =>
      renameIn(
        inner,
        renames([
          [a, 0, 4, 7],
          [b, 0, 0, 3],
        ]),
      ).run(WANTED, { ...testCall().context, effects }),
    {
      message: '"b.ts" is not what was approved: its path leads elsewhere now; try again.',
    },
  );
  assert.equal(readFileSync(join(inner, "a.ts"), "utf8"), "let old = 1;\n");
  const nothing = renameIn(inner, renames([]));
  await assert.rejects(runTool(nothing, WANTED, testCall().context), {
    message: 'The editor found nothing to rename for "old".',
  });
});

test("before the user has allowed it, an answer tells nothing of what is in the file", async (t) => {
  const root = folderOf(t, { ".env": "A=1\nKEY=secret-value\n" });
  const tool = renameIn(root, renames([]));
  for (const symbol of ["secret-value", "secret-valve", "secret-"]) {
    for (const line of [undefined, 1, 2, 9]) {
      const guess = { path: ".env", symbol, newName: "x", ...(line === undefined ? {} : { line }) };
      const paths = [{ use: "write", path: join(root, ".env") }];
      assert.deepEqual(await tool.effects?.(guess), { paths, hosts: [] });
    }
  }
  const wrong = { path: ".env", symbol: "KEY", line: 1, newName: "x" };
  assert.deepEqual(await tool.preview?.(wrong), {
    problem: 'Line 1 of ".env" does not have "KEY"; it is on line 2.',
  });
});

test("without an editor no one is asked, whatever is in the file", async (t) => {
  const root = folderOf(t, { "a.ts": "let old = 1;\n" });
  const tool = renameIn(root, noEditor);
  for (const symbol of ["old", "older"])
    await assert.rejects(async () => tool.effects?.({ path: "a.ts", symbol, newName: "fresh" }), {
      message: "rename needs an editor such as VS Code, and this team does not run in one; do without it.",
    });
});
