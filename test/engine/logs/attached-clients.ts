import assert from "node:assert/strict";
import type { TestTeam } from "../../../server/engine/testing/test-team.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { initialTeamState, snapshotOf, stateFromSnapshot, type TeamState } from "../../../shared/state/team-state.ts";

/**
 * Asserts that a client that attached after any of the team's events, with the snapshot of that moment, shows at the end of
 * each run what a client shows that was there from the start.
 */
export function assertClientsAgree({ journal: { kept }, definition, team }: TestTeam): void {
  const states: TeamState[] = [initialTeamState(team.id, definition)];
  for (const event of kept) states.push(reduceTeam(states.at(-1) as TeamState, event));
  for (const [from, state] of states.entries()) {
    let client = stateFromSnapshot(JSON.parse(JSON.stringify(snapshotOf(state))));
    for (const [at, event] of kept.slice(from).entries()) {
      client = reduceTeam(client, event);
      const isLast = from + at + 1 === kept.length;
      if (!isLast && (event.type !== "run/ended" || event.path !== undefined)) continue;
      const shown = snapshotOf(states[from + at + 1] as TeamState);
      assert.deepEqual(snapshotOf(client), shown, `attached after event ${from}, ${kept[from - 1]?.type}`);
    }
  }
}
