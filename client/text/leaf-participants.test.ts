import assert from "node:assert/strict";
import { test } from "node:test";
import { leafParticipants } from "./leaf-participants.ts";

test("the members of a nested team are listed in place of the team", () => {
  const research = { participant: "research" };
  const lab = { participant: "lab", path: ["research"] };
  const ann = { participant: "ann", path: ["research", "lab"] };
  const bob = { participant: "bob" };
  assert.deepEqual(leafParticipants([research, lab, ann, bob]), [ann, bob]);
  assert.deepEqual(leafParticipants([research, bob]), [research, bob]);
  assert.deepEqual(leafParticipants([]), []);
});
