import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { runNode } from "./run-process.ts";
import { closingLine, noTests, sum } from "./run-tests.ts";

test("the closing line of npm test is the sum of all steps", () => {
  const unit = { passed: 40, failed: 1, skipped: 0 };
  const editor = { passed: 3, failed: 0, skipped: 2 };
  assert.equal(closingLine(noTests), "0 passed, 0 failed");
  assert.equal(closingLine(unit), "40 passed, 1 failed");
  assert.equal(closingLine(sum(unit, editor)), "43 passed, 1 failed, 2 skipped");
});

/** Runs test files of the given texts with short limits. @returns all that is shown of them. */
async function shown(t: TestContext, texts: Readonly<Record<string, string>>, fileLimit: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "gavel-run-tests-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const files = Object.entries(texts).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  writeFileSync(
    join(folder, "main.mjs"),
    `import { runTests } from ${JSON.stringify(join(import.meta.dirname, "run-tests.ts"))};
    import { relative } from "node:path";
    const files = ${JSON.stringify(files)}.map((file) => relative(${JSON.stringify(join(import.meta.dirname, ".."))}, file));
    console.log(await runTests(files, { atOnce: 2, testLimit: 0.5, fileLimit: ${fileLimit}, grace: 0.1 }));`,
  );
  // Without this mark of a test's process, which would make node:test run nothing in it.
  return await runNode([join(folder, "main.mjs")], { env: { NODE_TEST_CONTEXT: undefined }, timeout: 200_000 });
}

test("a test that waits for ever fails by its name, and those after it still run", async (t) => {
  const texts = {
    "waits.test.mjs": `import { test } from "node:test";
      test("waits for ever", () => new Promise(() => {}));
      test("comes after it", () => {});`,
  };
  const text = await shown(t, texts, 180);
  assert.match(text, /✖ waits for ever .*\n✔ comes after it/);
  assert.match(text, /passed: 1, failed: 1/);
});

test("a file that loops, or leaves something open, is ended and fails; others are not touched", async (t) => {
  const texts = {
    "loops.test.mjs": `import { test } from "node:test"; 
      // Were it not ended, it would end by itself after three minutes.
      test("loops", () => { const end = Date.now() + 180_000; while (Date.now() < end); });`,
    "open.test.mjs": `import { test } from "node:test"; test("passes", () => {}); setTimeout(() => {}, 180_000);`,
    "fine.test.mjs": `import { test } from "node:test"; test("is fine", () => {});`,
  };
  // The one that is fine has to start in that time, also on a machine that does other work.
  const text = await shown(t, texts, 10);
  assert.match(text, /✖ \S*loops\.test\.mjs/);
  assert.match(text, /✖ \S*open\.test\.mjs/);
  assert.match(text, /✔ is fine/);
  assert.match(text, /failed: 2/);
});
