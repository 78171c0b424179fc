import assert from "node:assert/strict";
import { test } from "node:test";
import { initialTeamState } from "../../shared/state/team-state.ts";
import { addressees } from "./addressees.ts";

test("all participants but users can be sent messages, those of a nested team by the names that lead to them", () => {
  const bench = { name: "Bench", kind: "roundRobin" as const, participants: [{ name: "dora" }] };
  const lab = {
    name: "Lab",
    kind: "roundRobin" as const,
    participants: [
      { name: "eve" },
      { name: "bench", kind: "team" as const, team: bench },
      { name: "you", kind: "user" as const },
    ],
  };
  const team = initialTeamState("t", {
    name: "T",
    kind: "roundRobin",
    participants: [{ name: "ann" }, { name: "lab", kind: "team", team: lab }, { name: "me", kind: "user" }],
  });
  assert.deepEqual(
    addressees(team).map(({ to }) => to),
    ["ann", "lab", "lab/eve", "lab/bench", "lab/bench/dora"],
  );
});
