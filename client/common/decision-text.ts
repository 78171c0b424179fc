import { listText } from "../../shared/text/list-text.ts";
import type { CallView } from "./timeline/items.ts";

/**
 * Who let a call run, or did not: undefined for a call that was not decided on.
 * @param who the name of a decision's author.
 */
export function decisionText(
  { decision, approved, reviewed, approvedBy }: Pick<CallView, "decision" | "approved" | "reviewed" | "approvedBy">,
  who: (by: string) => string,
): string | undefined {
  if (reviewed !== undefined && decision !== undefined) {
    const did = { sent: "Result sent", edited: "Result edited and sent", withheld: "Result withheld" }[reviewed];
    return `${did} by ${who(decision.by)}${decision.reason === undefined ? "" : `: ${decision.reason}`}`;
  }
  if (approved !== undefined) return `Approved by a rule: ${approved}`;
  if (decision === undefined) return undefined;
  const did = { respond: "Answered", restart: "Approved", deny: "Rejected" }[decision.how];
  const edited = decision.edited ? ", with edited input" : "";
  const reason = decision.reason === undefined ? "" : `: ${decision.reason}`;
  // Those of the approvals before that are of the same.
  const others = approvedBy?.how === decision.how ? approvedBy.by.filter((id) => id !== decision.by) : [];
  return `${did} by ${listText([...others, decision.by].map(who))}${edited}${reason}`;
}
