import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { TestSelectionContext } from "../testing/selection-context.ts";
import { swarmManager } from "./swarm-manager.ts";

const definition: TeamDefinition = {
  name: "Test",
  kind: "swarm",
  participants: [{ name: "ann" }, { name: "bob" }, { name: "cid" }],
};
const manager = swarmManager(definition);

test("the first participant speaks until it hands off", async () => {
  const context = new TestSelectionContext(definition).user("t");
  assert.deepEqual(await context.select(manager), ["ann"]);
  assert.deepEqual(await context.turn("ann", "a").select(manager), ["ann"]);
});

test("the target of the last handoff speaks, and continues", async () => {
  const context = new TestSelectionContext(definition).user("t").handoff("ann", "cid").turn("ann", "To cid.");
  assert.deepEqual(await context.select(manager), ["cid"]);
  assert.deepEqual(await context.turn("cid", "c").select(manager), ["cid"]);
  assert.deepEqual(await context.handoff("cid", "ann").turn("cid", "Back.").select(manager), ["ann"]);
});

test("an interrupted speaker speaks again", async () => {
  const context = new TestSelectionContext(definition)
    .user("t")
    .handoff("ann", "bob")
    .turn("ann", "To bob.")
    .turn("bob", "W", "cut");
  assert.deepEqual(await context.select(manager), ["bob"]);
});

test("a handoff to an unknown target says so, and says how a handoff can leave the team", async () => {
  const context = new TestSelectionContext(definition).user("t").handoff("ann", "dora").turn("ann", "To dora.");
  await assert.rejects(context.select(manager), {
    message: /handoff to "dora", which is not a participant .* ann, bob, cid, .* `handoff` condition .* "dora"/,
    data: { code: "UnknownParticipant", name: "dora", known: ["ann", "bob", "cid"] },
  });
  assert.deepEqual(await context.handoff("user", "bob").select(manager), ["bob"]);
});
