import { computed } from "@preact/signals";
import { type ApprovalCount, approvalCount, approvalCountText } from "../../common/people/approval-count.ts";
import { userInSentence } from "../state/own-role.ts";
import { team, user } from "../state/page-state.ts";
import { Icon } from "../ui/icon.tsx";

/** What a card shows of the approvals of several users. */
export type ShownApprovals = Pick<ApprovalCount, "own"> & {
  readonly text?: string;
  /** After an approval of this user, others are needed still. */
  readonly needsMore?: true;
};

/** How far the approvals of the calls that wait are, by ref; as JSON, so that chunks of messages render nothing. */
const counts = computed(() => {
  const now = team.value;
  if (now === null) return "{}";
  const all = now.pendingTools.map((call): [string, ShownApprovals] => {
    const count = approvalCount(now, call, user.value);
    const text = approvalCountText(count, user.value, userInSentence);
    const isMore = count.required - count.by.length > 1;
    const more = isMore ? { needsMore: true as const } : {};
    return [call.ref, { own: count.own, ...more, ...(text === undefined ? {} : { text }) }];
  });
  return JSON.stringify(Object.fromEntries(all));
});

/** What this user can do about a call that waits, and how far its approvals are. */
export const approvalsOf = (ref: string): ShownApprovals =>
  (JSON.parse(counts.value) as Readonly<Record<string, ShownApprovals>>)[ref] ?? { own: "decide" };

/** What others have approved of the calls that wait, by ref: another value makes another card. */
export const underApproval = (ref: string): string => {
  const call = team.value?.pendingTools.find((each) => each.ref === ref);
  return call?.underApproval === undefined ? "" : JSON.stringify(call.underApproval);
};

/** Who has approved a call of several approvers, and who has to. */
export function Approvals({ of: { own, text } }: { readonly of: ShownApprovals }) {
  if (text === undefined) return null;
  return (
    <p class={`card-approvals${own === "decide" ? "" : " is-over"}`} role="status">
      <Icon name={own === "approved" ? "pass" : "person"} /> <span>{text}</span>
    </p>
  );
}
