import type { DecidedCall } from "../../shared/contract/team.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { displayName } from "../common/participants/participants.ts";
import { rosterOf } from "../common/participants/team-roster.ts";
import type { TeamActions } from "./team-actions.ts";

const DONE = { respond: "answered", restart: "approved", deny: "rejected" } as const;

/** Who has decided on a call, and how, in a sentence: one that is not known was decided on long ago. */
export function decidedText(team: TeamState | undefined, ref: string, user: string): string {
  const decision = team === undefined ? undefined : decisionOn(team, ref);
  if (team === undefined || decision === undefined) return "This tool call has already been resolved.";
  const { by, how } = decision;
  const who = displayName(by, rosterOf(team, user));
  return `${who} ${who === "You" ? "have" : "has"} already ${DONE[how]} this call.`;
}

/** @throws Error that says who has decided on a call, and how, if that was another user. */
export function throwIfDecidedByOther({ session, user }: TeamActions, ref: string): void {
  const state = session?.state;
  const decision = state === undefined ? undefined : decisionOn(state, ref);
  if (decision !== undefined && decision.by !== user) throw new Error(decidedText(state, ref, user));
}

/** The last decision on a call of the team or a nested one. */
function decisionOn({ decided = [], inner = {} }: TeamState, ref: string): DecidedCall | undefined {
  const own = decided.findLast((call) => call.ref === ref);
  if (own !== undefined) return own;
  for (const team of Object.values(inner)) {
    const found = decisionOn(team, ref);
    if (found !== undefined) return found;
  }
  return undefined;
}
