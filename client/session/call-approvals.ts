import type { PendingTool } from "../../shared/contract/team.ts";
import { roleOf } from "../../shared/state/people.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { nameInSentence } from "../common/participants/participants.ts";
import { rosterOf } from "../common/participants/team-roster.ts";
import { type ApprovalCount, approvalCount, approvalCountText } from "../common/people/approval-count.ts";

/** The approvals of a call that waits, for this user. */
export interface CallApprovals {
  /** How far they are, in a sentence or two; undefined for a call that one user decides on. */
  readonly text?: string | undefined;
  /** How far they are, in few words. */
  readonly short?: string | undefined;
  /** A rule of this user may decide on calls like it: the chair adds rules, and of several approvals none is one. */
  readonly allowsRules: boolean;
  /** What the user can do about it. */
  readonly own: ApprovalCount["own"];
}

export function callApprovals(team: TeamState, call: PendingTool, user: string): CallApprovals {
  const count = approvalCount(team, call, user);
  const roster = rosterOf(team, user);
  const { required, by, own } = count;
  const isSeveral = required > 1;
  return {
    text: approvalCountText(count, user, (id) => nameInSentence(id, roster)),
    short: isSeveral ? `${by.length} of ${required} approvals` : undefined,
    allowsRules: call.approval === true && !isSeveral && roleOf(team, user) === "chair",
    own,
  };
}
