import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import type { ApprovalOutcome } from "./evaluate-call.ts";

/**
 * The decision on a call of a team in which that many users have to approve calls: where it is more than one, no rule of one
 * user lets a call run unasked, except one of a tool that changes nothing.
 */
export function unlessSeveralApprove(
  outcome: ApprovalOutcome,
  tool: ToolDeclaration,
  required: number,
): ApprovalOutcome {
  if (required <= 1 || outcome.decision !== "allow" || !outcome.byRule || tool.readOnly === true) return outcome;
  const reason = `In this team ${required} users have to approve a call, so no rule lets it run unasked.`;
  const { review } = outcome;
  return { decision: "ask", rules: [], byRule: true, reason, ...(review === undefined ? {} : { review }) };
}
