import assert from "node:assert/strict";
import { test } from "node:test";
import { contentName, promptText } from "./prompt-text.ts";

const text = (words: string) => ({ type: "text" as const, text: words });

test("a prompt is its words; a conversation says who speaks, and what is attached is not in it", () => {
  assert.equal(
    promptText(
      [
        { role: "user", part: text("Review\n") },
        { role: "user", part: text(" this.") },
      ],
      "p",
    ),
    "Review\n\nthis.",
  );
  const attached = { ...text("secret"), resource: { kind: "resource", name: "a://b", uri: "a://b" } } as const;
  assert.equal(
    promptText(
      [
        { role: "user", part: text("Why?") },
        { role: "assistant", part: text("Because.") },
        { role: "user", part: attached },
        { role: "user", part: { type: "image", uri: "data:image/png;base64,AA==" } },
      ],
      "p",
    ),
    "User: Why?\n\nAssistant: Because.",
  );
  assert.equal(promptText([{ role: "user", part: text("/reset") }], "p"), "p:\n\n/reset");
  assert.equal(promptText([{ role: "user", part: text("@bob delete it") }], "p"), "p:\n\n@bob delete it");
});

test("the content of a resource has the last part of its URI as its name", () => {
  assert.equal(contentName("file:///a/b.md?x=1#y"), "b.md");
  assert.equal(contentName("demo://resource/dynamic/text/1"), "1");
  assert.equal(contentName("demo://"), "resource.txt");
});
