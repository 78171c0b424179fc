import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { SensitiveFiles } from "../../engine/index.ts";
import { workspaceTools } from "../index.ts";
import { callTool, folderOf, runTool, testCall, toolOf } from "../testing.ts";

const read = (roots: readonly string[], path: string) => callTool(roots, "readFile", { path });

const ASKING = ["editFile", "writeFile", "runCommand", "rename", "terminalOutput", "testTasks"];
const EDITOR = ["problems", "symbols", "references", "definition", "rename", "terminalOutput"];
const NAMES = ["readFile", "listFiles", "searchText", "editFile", "writeFile", "runCommand", ...EDITOR];

for (const name of NAMES) {
  test(`with no folder open, ${name} says to open one, before anyone is asked to approve`, async () => {
    const input = { path: "a", text: "a", command: "a", old: "a", new: "b", content: "a" };
    assert.throws(() => toolOf([], name).prepare?.(input), /open folder, and none is open/);
    await assert.rejects(callTool([], name, input), /open folder, and none is open/);
  });
}

test("a path that leaves the workspace is refused, whatever its form", async (t) => {
  const outer = folderOf(t, { "secret.txt": "secret", "in/a.txt": "a" });
  const roots = [join(outer, "in")];
  for (const path of [
    "../secret.txt",
    "x/../../secret.txt",
    join(outer, "secret.txt"),
    "/etc/hostname",
    "~/x",
    "C:\\x",
    "\\\\host\\x",
  ]) {
    await assert.rejects(read(roots, path), /outside the workspace/, path);
  }
  await assert.rejects(read(roots, "a\0.txt"), /NUL/);
});

test("a folder whose name starts with that of the workspace is outside it", async (t) => {
  const outer = folderOf(t, { "in/a.txt": "a", "in-too/b.txt": "b" });
  await assert.rejects(read([join(outer, "in")], join(outer, "in-too", "b.txt")), /outside the workspace/);
});

test("a link that leads out of the workspace is refused, by any tool and at any depth", async (t) => {
  const outer = folderOf(t, { "secret.txt": "secret", "more/deep.txt": "deep", "in/a.txt": "a" });
  const root = join(outer, "in");
  symlinkSync(join(outer, "secret.txt"), join(root, "link.txt"));
  symlinkSync(join(outer, "more"), join(root, "folder"), "junction");
  await assert.rejects(read([root], "link.txt"), /leads out of the workspace/);
  await assert.rejects(read([root], "folder/deep.txt"), /leads out of the workspace/);
  await assert.rejects(callTool([root], "listFiles", { path: "folder" }), /leads out of the workspace/);
  await assert.rejects(callTool([root], "searchText", { text: "deep", path: "folder" }), /leads out of the workspace/);
  await assert.rejects(callTool([root], "runCommand", { command: "ls", cwd: "folder" }), /leads out of the workspace/);
  assert.match(await callTool([root], "searchText", { text: "deep" }), /No line/);
  assert.equal(await callTool([root], "listFiles", {}), "a.txt\nfolder\nlink.txt");
});

test("a link within the workspace is followed, and a root may be a link itself", async (t) => {
  const outer = folderOf(t, { "real/src/a.txt": "a" });
  const root = join(outer, "open");
  symlinkSync(join(outer, "real"), root, "junction");
  symlinkSync(join(outer, "real", "src"), join(outer, "real", "link"), "junction");
  assert.equal(await read([root], "link/a.txt"), "a");
  assert.equal(await read([root], join(root, "src", "a.txt")), "a");
});

test("a link that leads to itself is reported as such", async (t) => {
  const root = folderOf(t);
  symlinkSync(join(root, "b"), join(root, "a"));
  symlinkSync(join(root, "a"), join(root, "b"));
  await assert.rejects(read([root], "a"), /leads to itself/);
});

test("with several roots a path is found in any of them, and by the root's name", async (t) => {
  const outer = folderOf(t, { "one/a.txt": "1a", "two/a.txt": "2a", "two/b.txt": "2b" });
  const roots = [join(outer, "one"), join(outer, "two")];
  assert.equal(await read(roots, "a.txt"), "1a");
  assert.equal(await read(roots, "b.txt"), "2b");
  assert.equal(await read(roots, "two/a.txt"), "2a");
  await assert.rejects(read(roots, "../three/a.txt"), /outside the workspace/);
  assert.equal(await callTool(roots, "listFiles", {}), "one/\none/a.txt\ntwo/\ntwo/a.txt\ntwo/b.txt");
  assert.equal(await callTool(roots, "searchText", { text: "2" }), "two/a.txt:1: 2a\ntwo/b.txt:1: 2b");
});

test("with one root, paths may start with its name", async (t) => {
  const root = folderOf(t, { "a.txt": "a" });
  assert.equal(await read([root], `${basename(root)}/a.txt`), "a");
});

test("two roots with the same name have different labels", async (t) => {
  const outer = folderOf(t, { "x/app/a.txt": "x", "y/app/a.txt": "y" });
  const roots = [join(outer, "x", "app"), join(outer, "y", "app")];
  assert.equal(await callTool(roots, "listFiles", { glob: "*.txt" }), "app/a.txt\napp-2/a.txt");
  assert.equal(await read(roots, "app-2/a.txt"), "y");
});

test("a missing root is ignored when another exists, and named when none does", async (t) => {
  const outer = folderOf(t, { "here/a.txt": "a" });
  assert.equal(await read([join(outer, "gone"), join(outer, "here")], "a.txt"), "a");
  await assert.rejects(read([join(outer, "gone")], "a.txt"), /gone of the workspace cannot be read/);
});

test("every problem of an input is reported at once, in one sentence", (t) => {
  const root = folderOf(t);
  mkdirSync(join(root, "src"));
  const prepare = toolOf([root], "readFile").prepare;
  assert.throws(() => prepare?.({ from: 0, to: "x", lines: 3 }), {
    message: /^The input of readFile is invalid: .*path: .*from: .*to: .*lines.*\.$/,
  });
  assert.deepEqual(prepare?.({ path: "a", from: null }), { path: "a" });
});

test("tools that change something ask for approval, and each tool declares its input as JSON Schema", (t) => {
  const root = folderOf(t);
  for (const name of NAMES) {
    const { approval, inputSchema } = toolOf([root], name).declaration;
    assert.equal(approval, ASKING.includes(name) ? "ask" : undefined);
    assert.equal(inputSchema["type"], "object");
    assert.equal(inputSchema["additionalProperties"], false);
    assert.equal("$schema" in inputSchema, false);
  }
});

test("Gavel's own storage is neither read, listed, searched nor written, by its name or through a link", async (t) => {
  const root = folderOf(t, { "a.txt": "key", "store/gavel.db": "key" });
  symlinkSync("store", join(root, "link"));
  const files = new SensitiveFiles({ roots: () => [root], ownFolders: [join(root, "store")] });
  const tools = workspaceTools({ roots: () => [root], files });
  const call = (name: string, input: object) => runTool(tools.get(name), input, testCall().context);

  for (const path of ["store/gavel.db", "link/gavel.db", "store/new.txt"]) {
    await assert.rejects(call("readFile", { path }), /is Gavel's own storage, which no tool may read or change/, path);
    await assert.rejects(call("writeFile", { path, content: "" }), /is Gavel's own storage/, path);
  }
  assert.equal(await call("listFiles", {}), "a.txt\nlink");
  assert.equal(await call("searchText", { text: "key" }), "a.txt:1: key");
});
