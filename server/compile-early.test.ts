import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

test("this version of Node knows every flag that has V8 compile early", () => {
  const program = `import { compileEarly } from ${JSON.stringify(new URL("compile-early.ts", import.meta.url).href)}; compileEarly();`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
    timeout: 120_000,
  });
  assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
});
