import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { OwnActs } from "./own-acts.ts";

const base = { seq: 1, at: "2026-01-01T00:00:00.000Z" };
const said = (content: string, more: object = {}): TeamEvent => ({
  ...base,
  type: "message/added",
  message: { id: "m", type: "TextMessage", source: "user", content, createdAt: base.at, ...more },
});
const resolved = (ref: string): TeamEvent => ({ ...base, type: "tool/resolved", ref, how: "restart", by: "user" });

test("a message of the user is of another client, unless its text was sent here, once for each time", () => {
  const own = new OwnActs("user");
  own.sends("Hello");
  assert.equal(own.isElsewhere(said("Hello")), false);
  assert.equal(own.isElsewhere(said("Hello")), true);
  assert.equal(own.isElsewhere(said("Hi", { source: "ann" })), false);
});

test("a decision is of another client, unless the call was decided here, or by a rule that is being added", async () => {
  const own = new OwnActs("user");
  own.decides("a");
  assert.deepEqual([own.isElsewhere(resolved("a")), own.isElsewhere(resolved("b"))], [false, true]);
  const added = Promise.withResolvers<void>();
  const adding = own.whileAddingRule(added.promise);
  assert.equal(own.isElsewhere(resolved("b")), false);
  added.resolve();
  await adding;
  assert.equal(own.isElsewhere(resolved("b")), true);
});
