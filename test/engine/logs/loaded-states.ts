import assert from "node:assert/strict";
import { MemoryJournal } from "../../../server/engine/testing/memory-journal.ts";
import type { TestTeam } from "../../../server/engine/testing/test-team.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { SavedState } from "../../../shared/contract/saved-state.ts";
import type { TeamSnapshot } from "../../../shared/contract/team.ts";
import { mapValues, snapshotOf, type TeamState } from "../../../shared/state/team-state.ts";

/**
 * Asserts that, wherever the team was at rest, a new team that loads its saved state shows the same. Only `lastSeq` differs,
 * as the new team has one event, the loading, and it does not know the users of the other team, and who has decided on its
 * calls.
 */
export function assertLoadedShowsTheSame({ journal: { kept }, definition, team: { id }, reopened }: TestTeam): void {
  for (const [at, event] of kept.entries()) {
    const journal = new MemoryJournal();
    journal.kept.push(...kept.slice(0, at + 1));
    const stored = journal.stored(id, definition);
    if (stored.state.run !== null || event.path !== undefined || isDecision(event, stored.state)) continue;
    const { team } = reopened({ journal, stored });
    const saved = team.save();

    const empty = new MemoryJournal();
    const loaded = reopened({ journal: empty, stored: empty.stored(id, definition) }).team;
    loaded.load(SavedState.parse(JSON.parse(JSON.stringify(saved))));

    const where = `after event ${at}, ${event.type}`;
    assert.deepEqual(withoutSeq(snapshotOf(loaded.state)), withoutSeq(snapshotOf(team.state)), where);
    assert.deepEqual(loaded.save(), saved, where);
  }
}

/** True for a decision on calls that the run that follows at once carries out. */
function isDecision({ type }: TeamEvent, { pendingTools }: TeamState): boolean {
  return type === "tool/resolved" || (type === "tool/executed" && pendingTools.length === 0);
}

function withoutSeq({ lastSeq, decided, chair, people, approvers, inner = {}, ...shown }: TeamSnapshot): object {
  return { ...shown, inner: mapValues(inner, withoutSeq) };
}
