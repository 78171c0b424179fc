import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { Role } from "../../../shared/contract/people.ts";
import { jsonEquals } from "../../../shared/json-equals.ts";
import { keyOf } from "./fold-message.ts";
import type { CallView, PeopleChange, TimelineItem } from "./items.ts";
import type { TimelineDraft } from "./timeline-draft.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;

export function changeRole(draft: TimelineDraft, event: EventOf<"role/changed">): void {
  const { user, role, taken } = event;
  // Who comes back under another name has the role already.
  const last = draft.items.findLast((item) => isRoleOf(item, user?.id));
  if (user?.id === event.by && taken === undefined && isRoleOf(last, user.id, role)) return;
  push(draft, event, {
    what: "role",
    ...(user === undefined ? {} : { user: user.id }),
    role,
    ...(taken === undefined ? {} : { taken }),
  });
}

export function changeApprovers(draft: TimelineDraft, event: EventOf<"approvers/changed">): void {
  const { required, from } = event;
  push(draft, event, { what: "approvers", required, ...(from === undefined ? {} : { from }) });
}

/** Whether an item gives the user a role, or this one. */
function isRoleOf(item: TimelineItem | undefined, user: string | undefined, role?: Role): boolean {
  if (item?.kind !== "people" || item.change.what !== "role") return false;
  return item.change.user === user && (role === undefined || item.change.role === role);
}

/** An approval of something else than those before starts the count again. */
export function countApproval(draft: TimelineDraft, event: EventOf<"tool/approved">): void {
  const { ref, by, how, value, required } = event;
  let counted: CallView | undefined;
  draft.changeCall(ref, (call) => {
    const isSame = call.approvedBy?.how === how && jsonEquals(call.approvedBy.value, value);
    const before = isSame ? (call.approvedBy?.by.filter((id) => id !== by) ?? []) : [];
    counted = { ...call, approvedBy: { how, value, by: [...before, by] } };
    return counted;
  });
  const { name = "", approvedBy } = counted ?? {};
  push(draft, event, { what: "approval", ref, name, how, count: approvedBy?.by.length ?? 1, required });
}

function push(
  draft: TimelineDraft,
  event: EventOf<"role/changed" | "approvers/changed" | "tool/approved">,
  change: PeopleChange,
): void {
  draft.push({ kind: "people", key: keyOf(event), at: event.at, by: event.by, change });
}
