import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { decisionText } from "../../common/decision-text.ts";
import { displayName, nameInSentence, otherUser } from "../../common/participants/participants.ts";
import type { Roster } from "../../common/participants/team-roster.ts";
import { approvalCount, approvalCountText } from "../../common/people/approval-count.ts";
import { keyOf } from "../../common/timeline/fold-message.ts";
import type { CallView, TimelineItem } from "../../common/timeline/items.ts";
import { peopleText } from "../text/people-text.ts";

/** Who hears it. */
export interface Viewer {
  /** Their id. */
  readonly user: string;
  readonly roster: Roster;
}

type PeopleEvent = Extract<
  TeamEvent,
  { type: "role/changed" | "approvers/changed" | "tool/approved" | "tool/resolved" }
>;

/** What is said of users: a changed role, an approval of several, a decision of somebody else. */
export function peopleAnnouncement(
  event: PeopleEvent,
  team: TeamState,
  { user, roster }: Viewer,
  items: readonly TimelineItem[],
): string | null {
  switch (event.type) {
    case "role/changed":
    case "approvers/changed": {
      const row = items.findLast(({ kind }) => kind === "people");
      return row?.kind === "people" && row.key === keyOf(event) ? peopleText(row, roster) : null;
    }
    case "tool/approved": {
      const call = team.pendingTools.find(({ ref }) => ref === event.ref);
      if (call === undefined) return null;
      const count = approvalCountText(approvalCount(team, call, user), user, (id) => nameInSentence(id, roster));
      return `${displayName(event.by, roster)} approved ${call.name}. ${count ?? ""}`.trim();
    }
    case "tool/resolved": {
      const other = otherUser(event.by, roster);
      const call = other === undefined ? undefined : lastCall(items, event.ref);
      return call === undefined ? null : `${call.name}: ${decisionText(call, (by) => nameInSentence(by, roster))}`;
    }
  }
}

/** The call of that ref, among the last ones. */
function lastCall(items: readonly TimelineItem[], wanted: string): CallView | undefined {
  for (const item of items.toReversed()) {
    const found = item.kind === "tools" ? item.calls.find(({ ref }) => ref === wanted) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
