import assert from "node:assert/strict";
import { test } from "node:test";
import { initialTeamState, type TeamState } from "../../../shared/state/team-state.ts";
import { Store } from "../store/store.ts";
import { sampleTeam } from "../store/testing/sample-events.ts";
import { TurnEditLog } from "./turn-edit-log.ts";

const edit = { path: "/w/a", shown: "a", before: null, after: Buffer.from("a") };

/** A store with these teams, whose states are given, and the turns that an edit of a call is written down for. */
async function journal(states: readonly TeamState[]) {
  const store = new Store();
  for (const { teamId } of states) await store.teams.create(teamId, sampleTeam, undefined, "2026-01-01T00:00:00.000Z");
  const log = new TurnEditLog(store.edits, async (teamId) => {
    const [state, key] = [states.find((each) => each.teamId === teamId), await store.teams.key(teamId)];
    return state === undefined || key === undefined ? undefined : { key, state };
  });
  const turnsOf = async (teamId: string) =>
    (await store.edits.turns((await store.teams.key(teamId)) ?? 0)).map(({ turnId }) => turnId);
  return { log, turnsOf };
}

function team(teamId: string, participant: string, turn: string): TeamState {
  return { ...initialTeamState(teamId, sampleTeam, undefined), openTurns: [{ id: turn, participant }] };
}

test("an edit belongs to the caller's open turn, also in a nested team, whose id contains that of the team around it", async () => {
  const { log, turnsOf } = await journal([
    { ...team("t", "ann", "outer"), inner: { research: team("t/research", "bob", "inner") } },
    team("t/x", "cid", "other"),
  ]);
  await log.plan({ teamId: "t", participant: "ann", ref: "1" }, edit);
  await log.plan({ teamId: "t/research", participant: "bob", ref: "2" }, edit);
  await log.plan({ teamId: "t/x", participant: "cid", ref: "3" }, edit);
  assert.deepEqual([await turnsOf("t"), await turnsOf("t/x")], [["inner", "outer"], ["other"]]);
});

test("an edit of a call whose turn has ended counts as a turn", async () => {
  const { log, turnsOf } = await journal([team("t", "ann", "outer")]);
  await log.plan({ teamId: "t", participant: "bob", ref: "call-7" }, edit);
  assert.deepEqual(await turnsOf("t"), ["call-7"]);
});

test("an edit for a deleted team is refused", async () => {
  const { log } = await journal([]);
  await assert.rejects(log.plan({ teamId: "gone", participant: "ann", ref: "1" }, edit), /Team "gone" does not exist/);
});
