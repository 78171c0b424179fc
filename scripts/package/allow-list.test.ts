import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { it } from "node:test";
import { bundles } from "../../esbuild.mjs";
import { root } from "../root.ts";

it("the package has every bundle", () => {
  const lines = readFileSync(join(root, ".vscodeignore"), "utf8").split("\n");
  const allowed = lines.flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
  const files = bundles.map(({ output }) => output);
  const missing = files.filter((file) => !allowed.some((glob) => matchesGlob(file, glob)));
  assert.deepEqual(missing, []);
});
