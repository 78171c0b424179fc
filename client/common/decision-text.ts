import type { CallView } from "./timeline/items.ts";

/**
 * Who let a call run, or did not: undefined for a call that was not decided on.
 * @param who the name of a decision's author.
 */
export function decisionText(
  { decision, approved }: Pick<CallView, "decision" | "approved">,
  who: (by: string) => string,
): string | undefined {
  if (approved !== undefined) return `Approved by a rule: ${approved}`;
  if (decision === undefined) return undefined;
  const did = { respond: "Answered", restart: "Approved", deny: "Rejected" }[decision.how];
  const edited = decision.edited ? ", with edited input" : "";
  const reason = decision.reason === undefined ? "" : `: ${decision.reason}`;
  return `${did} by ${who(decision.by)}${edited}${reason}`;
}
