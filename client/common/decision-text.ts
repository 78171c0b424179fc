import type { CallView } from "./timeline/items.ts";

/**
 * Who let a call run, or did not: undefined for a call that was not decided on.
 * @param who the name of a decision's author.
 */
export function decisionText(
  { decision, approved, reviewed }: Pick<CallView, "decision" | "approved" | "reviewed">,
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
  return `${did} by ${who(decision.by)}${edited}${reason}`;
}
