import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../../../../shared/contract/message.ts";
import { conversationText } from "./conversation-text.ts";

const message = (source: string, content: ChatMessage["content"], more: Partial<ChatMessage> = {}): ChatMessage => ({
  id: content.toString(),
  type: "TextMessage",
  source,
  content,
  createdAt: "2026-01-01T00:00:00.000Z",
  ...more,
});

test("a conversation is its messages with their sources, and marks partials and directed messages", () => {
  const conversation = [
    message("user", "Look at this:", {}),
    message("user", [{ type: "image", uri: "data:image/png;base64,AA==", mimeType: "image/png" }]),
    message("ann", "It is a", { partial: true }),
    message("user", "And?", { metadata: { to: "bob" } }),
    message("bob", { verdict: "cat" }),
  ];
  assert.equal(
    conversationText(conversation),
    [
      "user: Look at this:",
      "user: [image image/png]",
      "ann: It is a [interrupted]",
      "user (only to bob): And?",
      'bob: {"verdict":"cat"}',
    ].join("\n"),
  );
});

test("a long conversation is cut to the first message, the last ones that fit, and the number of omitted ones", () => {
  const conversation = Array.from({ length: 100 }, (_, at) => message("ann", `line ${at}`));
  assert.equal(
    conversationText(conversation, 30),
    ["ann: line 0", "[97 earlier messages omitted]", "ann: line 98", "ann: line 99"].join("\n"),
  );
});

test("a message that is too long keeps its beginning and its end", () => {
  const text = conversationText([message("user", "t"), message("ann", `begin${"x".repeat(1_000_000)}end`)], 30);
  assert.ok(text.length < 10_000);
  assert.match(text, /^user: t\nann: begin.*end$/s);
});

test("an empty conversation is described too", () => {
  assert.equal(conversationText([]), "(no messages yet)");
});
