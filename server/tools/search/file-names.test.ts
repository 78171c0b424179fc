import assert from "node:assert/strict";
import { test } from "node:test";
import { SensitiveFiles } from "../../engine/index.ts";
import { folderOf } from "../testing.ts";
import { FileNames } from "./file-names.ts";

const files = {
  ".gitignore": "dist/\n*.log\n",
  ".env": "KEY=1",
  "README.md": "",
  "dist/split.js": "",
  "node_modules/a/split.js": "",
  "src/split.js": "",
  "src/splitter/index.js": "",
  "test/cart-split.test.js": "",
  "trace.log": "",
};

async function paths(names: FileNames, query: string, limit = 10): Promise<readonly string[]> {
  return (await names.find(query, limit)).map(({ path }) => path);
}

test("a file is found by its name, then by its path, then by characters in order, without ignored files", async (t) => {
  const root = folderOf(t, files);
  const names = new FileNames({ roots: () => [root] });
  assert.deepEqual(await paths(names, "split"), ["src/split.js", "test/cart-split.test.js", "src/splitter/index.js"]);
  assert.deepEqual(await paths(names, "SRC/SP"), ["src/split.js", "src/splitter/index.js"]);
  assert.deepEqual(await paths(names, "ctst"), ["test/cart-split.test.js"]);
  assert.deepEqual(await paths(names, "log"), []);
  assert.deepEqual(await paths(names, "split", 1), ["src/split.js"]);
  assert.equal((await paths(names, "")).length, 6);
});

test("a file that may hold secrets says so", async (t) => {
  const root = folderOf(t, files);
  const roots = (): readonly string[] => [root];
  const names = new FileNames({ roots, files: new SensitiveFiles({ roots }) });
  const [found] = await names.find(".env", 1);
  assert.match(found?.secret ?? "", /environment files hold passwords and keys/);
  assert.equal((await names.find("split.js", 1))[0]?.secret, undefined);
});

test("without a folder there are no files", async () => {
  assert.deepEqual(await new FileNames({ roots: () => [] }).find("", 10), []);
});
