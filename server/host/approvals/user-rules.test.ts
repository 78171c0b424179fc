import assert from "node:assert/strict";
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ScratchFolder } from "../store/testing/scratch-folder.ts";
import { UserRules } from "./user-rules.ts";

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test("the user's rules can be read and changed by the user alone, also those of an older version", {
  skip: process.platform === "win32" && "Windows has no such modes",
}, () => {
  using scratch = new ScratchFolder();
  const folder = join(scratch.path, "global");
  const file = join(folder, "approvals.json");
  new UserRules(folder).add({
    id: "1",
    decision: "allow",
    tool: "readFile",
    scope: "always",
  });
  assert.deepEqual([modeOf(folder), modeOf(file)], ["700", "600"]);

  chmodSync(folder, 0o755);
  chmodSync(file, 0o644);
  assert.equal(new UserRules(folder).all().rules.length, 1);
  assert.deepEqual([modeOf(folder), modeOf(file)], ["700", "600"]);
});
