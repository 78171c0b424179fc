import assert from "node:assert/strict";
import { foldTimeline, timelineOf } from "../../../client/common/timeline/fold-timeline.ts";
import type { TimelineItem } from "../../../client/common/timeline/items.ts";
import { EMPTY_TIMELINE } from "../../../client/common/timeline/timeline.ts";
import type { TestTeam } from "../../../server/engine/testing/test-team.ts";
import { isDurable } from "../../../shared/contract/event.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { initialTeamState, snapshotOf, type TeamState } from "../../../shared/state/team-state.ts";

/**
 * Asserts that after each of the team's events the chat that has been open from the start shows what a chat shows that is
 * opened then. Only thoughts of turns in progress and what running tools have printed are not stored, and a thought that was
 * seen as it came keeps its first key.
 */
export function assertOpenedShowsTheSame({ journal: { kept }, definition, team }: TestTeam): void {
  let live = EMPTY_TIMELINE;
  let state = initialTeamState(team.id, definition);
  for (const [at, event] of kept.entries()) {
    live = foldTimeline(live, [event]);
    state = reduceTeam(state, event);
    const opened = timelineOf(snapshotOf(state), kept.slice(0, at + 1).filter(isDurable));
    assert.deepEqual(
      storedOf(live.items, state),
      storedOf(opened.items, state),
      `after event ${at}, ${JSON.stringify(event)}`,
    );
  }
}

/** The items without what is not stored. */
function storedOf(items: readonly TimelineItem[], state: TeamState | undefined): readonly unknown[] {
  return items.flatMap((item): readonly unknown[] => {
    switch (item.kind) {
      case "thought":
        return item.live !== undefined && isTurning(item.source, state) ? [] : [{ ...item, key: "" }];
      case "tools":
        return [{ ...item, calls: item.calls.map(({ live, ...call }) => call) }];
      case "team":
        return [{ ...item, items: storedOf(item.items, state?.inner?.[item.source]) }];
      default:
        return [item];
    }
  });
}

const isTurning = (name: string, state: TeamState | undefined): boolean =>
  state?.run != null && state.openTurns.some(({ participant }) => participant === name);
