import assert from "node:assert/strict";
import { test } from "node:test";
import { listText } from "./list-text.ts";

test("names are listed as in a sentence", () => {
  assert.equal(listText([]), "");
  assert.equal(listText(["ann"]), "ann");
  assert.equal(listText(["ann", "bob"]), "ann and bob");
  assert.equal(listText(["ann", "bob", "cat"]), "ann, bob, and cat");
});
