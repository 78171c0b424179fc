import assert from "node:assert/strict";
import { test } from "node:test";
import { type Attachment, mergeAttachments, restoredDraft } from "./attachments.ts";

const file = (name: string, tokens = 1): Attachment => ({ key: name, kind: "file", name, tokens });

test("what is attached again takes the place of the earlier one", () => {
  assert.deepEqual(mergeAttachments([file("a"), file("b")], [file("a", 2)]), [file("b"), file("a", 2)]);
});

test("a draft that could not be sent comes back before what was typed since", () => {
  const unsent = { text: "Fix it", attachments: [file("a")] };
  assert.deepEqual(restoredDraft({ text: "", attachments: [] }, unsent), unsent);
  assert.deepEqual(restoredDraft({ text: "and test", attachments: [file("b")] }, unsent), {
    text: "Fix it\nand test",
    attachments: [file("a"), file("b")],
  });
  assert.deepEqual(restoredDraft(unsent, unsent), unsent);
});
