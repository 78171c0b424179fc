import assert from "node:assert/strict";
import { test } from "node:test";
import { typedMessage } from "./typed-message.ts";

test("A message is for the participant that it begins with, or for the team", () => {
  assert.deepEqual(typedMessage("@bob look"), { to: "bob", messages: "look", delivery: "steer" });
  assert.deepEqual(typedMessage("@team/bob look"), { to: "team/bob", messages: "look", delivery: "steer" });
  assert.deepEqual(typedMessage("look"), { messages: "look", delivery: "steer" });
  assert.deepEqual(typedMessage("mail@example.com is wrong"), {
    messages: "mail@example.com is wrong",
    delivery: "steer",
  });
  assert.deepEqual(typedMessage("@bob"), { messages: "@bob", delivery: "steer" });
});

test("A command before it says when it is delivered", () => {
  assert.deepEqual(typedMessage("/now @bob stop"), { to: "bob", messages: "stop", delivery: "now" });
  assert.deepEqual(typedMessage("/queue later"), { messages: "later", delivery: "queue" });
  assert.deepEqual(typedMessage("/nowhere to go"), { messages: "/nowhere to go", delivery: "steer" });
});

test("Nothing is sent for nothing", () => {
  for (const line of ["", "  ", "/now", "/queue  "]) assert.equal(typedMessage(line), undefined, line);
});
