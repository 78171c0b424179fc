import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords } from "./in-words.ts";

test("names are listed as one says them", () => {
  assert.equal(inWords([]), "");
  assert.equal(inWords(["ann"]), "ann");
  assert.equal(inWords(["ann", "bob"]), "ann and bob");
  assert.equal(inWords(["ann", "bob", "cat"]), "ann, bob and cat");
});
