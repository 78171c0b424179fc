import assert from "node:assert/strict";
import { test } from "node:test";
import { initialTeamState, type TeamState } from "../../shared/state/team-state.ts";
import { addressIn, addressPath, type MessageAddress, textAt } from "./message-address.ts";

const state: TeamState = {
  ...initialTeamState("team/1", { name: "T", kind: "roundRobin", participants: [{ name: "ann" }] }),
  thread: [
    { id: "m1", type: "TextMessage", source: "ann", content: "Whole", createdAt: "" },
    { id: "m2", type: "TextMessage", source: "ann", content: "Cut", createdAt: "", partial: true },
  ],
  queued: [{ id: "q1", to: "ann", messages: ["first", "second"], delivery: "steer" }],
};
const partial: MessageAddress = { kind: "partial", teamId: "team/1", id: "m2" };
const waiting: MessageAddress = { kind: "waiting", teamId: "team/1", id: "q1", index: 1 };

test("a path has the address that it was made for, with any characters in its names", () => {
  for (const address of [partial, waiting]) assert.deepEqual(addressIn(addressPath(address, "a/b 50%.md")), address);
});

test("the last part of a path is the plain name", () => {
  assert.match(addressPath(partial, "ann, cut short.md"), /\/ann, cut short\.md$/);
});

test("a path without an address is recognized", () => {
  for (const path of ["/", "/partial/t", "/partial/t/m", "/waiting/t/m/x/n", "/other/t/m/n", "/waiting/t/m/1"]) {
    assert.equal(addressIn(path), undefined, path);
  }
});

test("only a text of the open team that may be edited is found", () => {
  assert.equal(textAt(partial, state), "Cut");
  assert.equal(textAt(waiting, state), "second");
  assert.equal(textAt({ ...partial, id: "m1" }, state), undefined);
  assert.equal(textAt({ ...waiting, index: 2 }, state), undefined);
  assert.equal(textAt({ ...partial, teamId: "other" }, state), undefined);
  assert.equal(textAt(partial, undefined), undefined);
});
