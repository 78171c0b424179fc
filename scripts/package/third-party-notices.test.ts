import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bundledPackages, packageFolder, readPackage } from "./bundled-packages.ts";
import { thirdPartyNotices } from "./third-party-notices.ts";

test("the notices name every bundled package with its licence, and none that is not bundled", async () => {
  const packages = await bundledPackages();
  const names = packages.map(({ name }) => name);
  for (const name of ["@vscode/codicons", "dompurify", "highlight.js", "markdown-it", "preact", "zod"]) {
    assert.ok(names.includes(name), name);
  }
  assert.ok(!names.includes("esbuild"));
  const notices = thirdPartyNotices(packages);
  assert.match(notices, /^preact \d+\.\d+\.\d+ \(MIT\)$/m);
  assert.match(notices, /Copyright \(c\) 2015-present Jason Miller/);
});

test("a nested package is found in its own folder", () => {
  assert.equal(packageFolder("node_modules/a/node_modules/@b/c/dist/x.js"), "node_modules/a/node_modules/@b/c");
  assert.equal(packageFolder("client/main.ts"), undefined);
});

test("a licence text may be a section of the README", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "gavel-licence-"));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "a", version: "1.0.0", license: "MIT" }));
  writeFileSync(join(folder, "README.md"), "# a\n\n## License\n\nCopyright (c) someone\n\nPermission is granted.\n");
  assert.deepEqual(readPackage(folder).texts, ["Copyright (c) someone\n\nPermission is granted."]);
  writeFileSync(join(folder, "README.md"), "# a\n\n## License\n\nMIT\n\n## More\n\nCopyright\n");
  assert.throws(() => readPackage(folder), { message: "a is in a bundle and has no licence text." });
});

for (const [what, manifest, files, message] of [
  ["names none", {}, ["LICENSE"], "a is in a bundle and names no licence in its package.json."],
  ["has no text of it", { license: "Apache-2.0" }, [], "a is in a bundle and has no licence text."],
] as const) {
  test(`a package that ${what} is refused`, (context) => {
    const folder = mkdtempSync(join(tmpdir(), "gavel-licence-"));
    context.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "a", version: "1.0.0", ...manifest }));
    for (const file of files) writeFileSync(join(folder, file), "text");
    assert.throws(() => readPackage(folder), { message });
  });
}
