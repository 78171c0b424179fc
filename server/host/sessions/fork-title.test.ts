import assert from "node:assert/strict";
import { test } from "node:test";
import { forkTitle } from "./fork-title.ts";

test("a fork has a title that no other team has", () => {
  const notes = { name: "Notes" };
  assert.equal(forkTitle(notes, [undefined]), "Notes (fork)");
  assert.equal(forkTitle(notes, ["Notes (fork)", "Notes (fork 2)"]), "Notes (fork 3)");
  assert.equal(forkTitle({ ...notes, title: "Herons" }, ["Notes (fork)"]), "Herons (fork)");
  assert.equal(forkTitle({ ...notes, title: "Notes (fork 2)" }, ["Notes (fork)", "Notes (fork 2)"]), "Notes (fork 3)");
});

test("the title of a fork is at most 200 characters long, and none of them is cut in half", () => {
  const title = forkTitle({ name: "🐦".repeat(150) }, []);
  assert.ok(title.length <= 200);
  assert.ok(title.isWellFormed());
  assert.match(title, /🐦 \(fork\)$/);
});
