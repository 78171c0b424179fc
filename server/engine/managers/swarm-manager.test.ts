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

test("the first participant speaks until it hands the floor on", async () => {
  const floor = new TestSelectionContext(definition).user("t");
  assert.deepEqual(await floor.select(manager), ["ann"]);
  assert.deepEqual(await floor.turn("ann", "a").select(manager), ["ann"]);
});

test("whoever was handed the floor last speaks, and goes on", async () => {
  const floor = new TestSelectionContext(definition).user("t").handoff("ann", "cid").turn("ann", "To cid.");
  assert.deepEqual(await floor.select(manager), ["cid"]);
  assert.deepEqual(await floor.turn("cid", "c").select(manager), ["cid"]);
  assert.deepEqual(await floor.handoff("cid", "ann").turn("cid", "Back.").select(manager), ["ann"]);
});

test("a speaker who was interrupted speaks again", async () => {
  const floor = new TestSelectionContext(definition)
    .user("t")
    .handoff("ann", "bob")
    .turn("ann", "To bob.")
    .turn("bob", "W", "cut");
  assert.deepEqual(await floor.select(manager), ["bob"]);
});

test("a handoff to nobody says so, and how one may leave the team", async () => {
  const floor = new TestSelectionContext(definition).user("t").handoff("ann", "dora").turn("ann", "To dora.");
  await assert.rejects(floor.select(manager), {
    message:
      /handed to "dora", and nobody in the team is called so; .* ann, bob, cid, .* `handoff` condition .* "dora"/,
    data: { code: "UnknownParticipant", name: "dora", known: ["ann", "bob", "cid"] },
  });
  assert.deepEqual(await floor.handoff("user", "bob").select(manager), ["bob"]);
});
