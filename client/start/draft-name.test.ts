import assert from "node:assert/strict";
import { test } from "node:test";
import { draftName } from "./draft-name.ts";

test("a draft's file is named after its team, with nothing that is more than a name", () => {
  assert.equal(draftName('# For notes\nname: "Release Notes"\nkind: swarm\n'), "release-notes");
  assert.equal(draftName("name: ../../.git/hooks/x\n"), "git-hooks-x");
  assert.equal(draftName("participants: []\n"), "team");
  assert.equal(draftName(`name: ${"long name ".repeat(20)}`), "long-name-long-name-long-name-long-name");
});

test("a long line in a draft is not searched again from each of its characters", () => {
  assert.equal(draftName(`name: a${" ".repeat(1_000_000)}b`), "a");
});
