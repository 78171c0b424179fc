import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableEvent, TeamEvent } from "../../../../shared/contract/event.ts";
import { reduceTeam } from "../../../../shared/state/reducer.ts";
import { initialTeamState, snapshotOf } from "../../../../shared/state/team-state.ts";
import { sampleRun, sampleTeam } from "../../store/testing/sample-events.ts";
import { RunElsewhere } from "./run-elsewhere.ts";

const events: readonly DurableEvent[] = [...sampleRun(2)];
const stateAfter = (count: number) => events.slice(0, count).reduce(reduceTeam, initialTeamState("t", sampleTeam));

/** A run of another host that shows its first `shown` events, where this host knows `known` of them. */
function follow({ shown, known, isCurrent = true }: { shown: number; known: number; isCurrent?: boolean }) {
  const told: TeamEvent[] = [];
  const log: string[] = [];
  const team = {
    teamId: "t",
    known: stateAfter(known),
    begin: () => isCurrent,
    tell: (event: TeamEvent) => void told.push(event),
    ended: () => void log.push("ended"),
  };
  const run = new RunElsewhere({ id: "host", key: "" }, team, snapshotOf(stateAfter(shown)), {
    atRest: () => void log.push("at rest"),
    behind: () => void log.push("behind"),
    left: () => void log.push("left"),
  });
  return { run, told, log };
}

test("what this host does not know is told from the store, and then what the other one tells, each once", () => {
  const { run, told, log } = follow({ shown: 6, known: 3 });
  for (const event of events.slice(4, 8)) run.receive(event);
  assert.equal(run.begin(events.slice(3, 6)), true);
  for (const event of events.slice(8)) run.receive(event);
  assert.deepEqual(told, events.slice(3));
  assert.deepEqual(log, ["at rest"]);
});

test("nothing is told from a state that its host could not store yet", () => {
  const { run, told, log } = follow({ shown: 6, known: 3 });
  assert.equal(run.begin(events.slice(3, 5)), false);
  for (const event of events.slice(6)) run.receive(event);
  assert.deepEqual([told, log, run.hasEnded], [[], ["left"], true]);
});

test("nothing is told where this host has changed the team meanwhile, or the other one was lost", () => {
  const changed = follow({ shown: 6, known: 3, isCurrent: false });
  assert.equal(changed.run.begin(events.slice(3, 6)), false);
  const lost = follow({ shown: 6, known: 3 });
  lost.run.leave();
  assert.equal(lost.run.begin(events.slice(3, 6)), false);
  for (const { told, log } of [changed, lost]) assert.deepEqual([told, log], [[], ["left"]]);
});

test("a gap is not told: the store has what is missing", () => {
  const { run, told, log } = follow({ shown: 3, known: 3 });
  assert.equal(run.begin([]), true);
  for (const event of [...events.slice(3, 5), ...events.slice(6, 7)]) run.receive(event);
  assert.deepEqual([told, log], [events.slice(3, 5), ["behind"]]);
});
