import assert from "node:assert/strict";
import { it } from "node:test";
import { draftText } from "./draft-text.ts";

it("is the text within the code fence, from its first line on", () => {
  assert.equal(draftText("Here it is:\n```yaml\nname: Pair\nkind: swarm\n```\nEnjoy!"), "name: Pair\nkind: swarm\n");
  assert.equal(draftText("Here it is:\n```yaml\nname: Pa"), "name: Pa\n");
  assert.equal(draftText("name: Pair"), "name: Pair\n");
  assert.equal(draftText("```\n"), "");
  assert.equal(draftText(" \n"), "");
});
