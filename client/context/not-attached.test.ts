import assert from "node:assert/strict";
import { test } from "node:test";
import { NotAttachedError, refusalTexts } from "./not-attached.ts";

const folder = (name: string) => new NotAttachedError("folder", `"${name}"`, `"${name}" is a folder. Attach files.`);

test("of several files that are not attached, each reason is said once, with all its files", () => {
  const texts = refusalTexts([
    folder("docs"),
    new NotAttachedError("binary", '"a.bin"', '"a.bin" is neither a text file nor an image.'),
    folder("src"),
    new Error("Something else."),
    new Error("Something else."),
  ]);
  assert.deepEqual(texts, [
    '"docs" and "src" are folders. Attach files, or name them in the message: participants can list them.',
    '"a.bin" is neither a text file nor an image.',
    "Something else.",
  ]);
});

test("of many files the first are named, and the others counted", () => {
  const [text] = refusalTexts(["a", "b", "c", "d", "e"].map(folder));
  assert.match(text ?? "", /^"a", "b", "c", and 2 more are folders\./);
  assert.deepEqual(refusalTexts([]), []);
});
