import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reply } from "../engine/index.ts";
import { withHandoff } from "./handoff-line.ts";

const said = (content: string): Reply => withHandoff({ type: "TextMessage", content }, [{ target: "bob" }]);

test("The last line of a reply hands over, however an agent decorates it", () => {
  for (const end of ["HANDOFF: bob", "**HANDOFF: bob**", "`HANDOFF: bob`\n", "HANDOFF:bob.", "```\nHANDOFF: bob\n```"])
    assert.equal(said(`Done.\n${end}`).type, "HandoffMessage", end);
  assert.equal(said("HANDOFF: bob").type, "HandoffMessage");
  assert.equal(said(`${"long ".repeat(1000)}\nHANDOFF: bob`).type, "HandoffMessage");
});

test("Words within a line, an unknown name, and a line that is not the last hand over to no one", () => {
  for (const text of ["I could write HANDOFF: bob", "HANDOFF: eve", "HANDOFF: bob\nNot yet.", "HANDOFF:"])
    assert.equal(said(text).type, "TextMessage", text);
  assert.equal(said(`${" ".repeat(600)}not HANDOFF: bob`).type, "TextMessage");
});

// The end was searched again from each of the characters before it: these took hours.
test("A long reply of line ends, or of signs, is a reply", () => {
  assert.equal(said(`${"\n".repeat(2_000_000)}x`).type, "TextMessage");
  assert.equal(said(`HANDOFF: ${"!".repeat(1_000_000)}x`).type, "TextMessage");
});
