import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import { initialTeamState } from "../../../shared/state/team-state.ts";
import { accentClass, initialsOf } from "./participants.ts";
import { type Roster, rosterOf } from "./team-roster.ts";

const similar: readonly ParticipantDefinition[] = Array.from({ length: 30 }, (_, index) => ({
  name: ["reviewer", "code-reviewer", "codeReviewer", "test_runner", "r"][index % 5] + (index < 5 ? "" : `_${index}`),
}));

const rosterWith = (participants: readonly ParticipantDefinition[]): Roster =>
  rosterOf(initialTeamState("team-1", { name: "Review", kind: "roundRobin", participants: [...participants] }));

/** What the avatars look like, those of nested teams included; case is no difference that can be seen. */
function looks(roster: Roster): readonly string[] {
  const own = roster.participants.map(
    ({ name }) => `${initialsOf(name, roster).toUpperCase()} ${accentClass(name, roster)}`,
  );
  return [...own, ...[...roster.inner.values()].flatMap(looks)];
}

const initialsIn = (roster: Roster): readonly string[] =>
  roster.participants.map(({ name }) => initialsOf(name, roster));

test("no two of 30 participants with similar names look alike, and one more changes none of them", () => {
  const all = rosterWith(similar);
  assert.equal(new Set(looks(all)).size, 30);
  for (const initials of initialsIn(all)) assert.match(initials, /^.{1,2}$/u);
  for (const [count] of similar.entries()) {
    assert.deepEqual(initialsIn(rosterWith(similar.slice(0, count))), initialsIn(all).slice(0, count));
  }
});

test("initials are of a name's words, or of its letters when others have them", () => {
  const names = ["author", "code-reviewer", "testRunner", "auditor", "aide", "a", "critical-reader", "ßtable", "审核"];
  const roster = rosterWith(names.map((name) => ({ name })));
  assert.deepEqual(initialsIn(roster), ["A", "CR", "TR", "Au", "Ai", "A2", "Ci", "ß", "审"]);
});

test("participants of nested teams do not look like those of others", () => {
  const inner = ["author", "alice", "bob"].map((name) => ({ name }));
  const nested = (name: string): ParticipantDefinition => ({
    name,
    kind: "team",
    team: { name, kind: "roundRobin", participants: inner },
  });
  const participants: readonly ParticipantDefinition[] = [{ name: "author" }, nested("research"), nested("critics")];
  const roster = rosterWith(participants);
  assert.equal(new Set(looks(roster)).size, 9);
  const more = rosterWith([...participants, { name: "alice" }]);
  assert.deepEqual(looks(more).filter((look) => !looks(roster).includes(look)).length, 1);
  const research = roster.inner.get("research");
  assert.ok(research !== undefined);
  assert.equal(initialsOf("critics", research), initialsOf("critics", roster), "seen from within a nested team");
});
