import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { continuedText } from "./continued-text.ts";

const said = (source: string, content: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  id: content,
  type: "TextMessage",
  source,
  content,
  createdAt: "2026-01-01T00:00:00.000Z",
  ...more,
});
const cut = (content: string) => said("ann", content, { partial: true });
const question = (to: string) => said("user", "?", { metadata: { to } });

/** The whole text of the last of these. */
function textOfLast(...messages: ChatMessage[]): string {
  const last = messages.at(-1);
  assert.ok(last);
  return continuedText(messages, last);
}

test("a continued message starts with its partials, also when others speak in between", () => {
  assert.equal(textOfLast(cut("One "), cut("two "), said("bob", "b"), said("ann", "three.")), "One two three.");
});

test("earlier messages, and partials of others, are not part of it", () => {
  const bobs = said("bob", "Bob's ", { partial: true });
  assert.equal(textOfLast(cut("Ze"), said("ann", "ro."), bobs, said("ann", "One.")), "One.");
});

test("an answer to the user in between is skipped, together with its partials", () => {
  assert.equal(
    textOfLast(cut("One "), question("ann"), cut("Why "), said("ann", "not?"), said("ann", "two.")),
    "One two.",
  );
});

test("an answer to the user does not include the partial that it interrupted", () => {
  assert.equal(textOfLast(cut("One "), question("ann"), cut("Why "), said("ann", "not?")), "Why not?");
});
