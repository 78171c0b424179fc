import assert from "node:assert/strict";
import { test } from "node:test";
import { initialTeamState, type TeamState } from "../../shared/state/team-state.ts";
import { teamTitle } from "./team-title.ts";

const team = (teamId: string, name: string, task?: string): TeamState => {
  const state = initialTeamState(teamId, { name, kind: "roundRobin", participants: [{ name: "ann" }] });
  const createdAt = "2026-01-01T00:00:00.000Z";
  if (task === undefined) return state;
  return { ...state, thread: [{ id: "m", type: "UserTextMessage", source: "you", content: task, createdAt }] };
};

test("threads of one team are told apart by their first tasks", () => {
  const first = team("a", "Notes", "Look into the reeds\nand write");
  const second = team("b", "Notes");
  const other = team("c", "Review");
  const all = [first, second, other];
  assert.deepEqual(
    all.map((each) => teamTitle(each, all)),
    ["Notes: Look into the reeds", "Notes: New thread", "Review"],
  );
  assert.equal(teamTitle(first, [first, other]), "Notes");
  const renamed = { ...second, title: "Herons" };
  assert.deepEqual(
    [first, renamed].map((each) => teamTitle(each, [first, renamed])),
    ["Notes", "Herons"],
  );
});
