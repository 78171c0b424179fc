import { type GavelError, invalidResume } from "../../../shared/contract/errors.ts";
import type { DecidedCall } from "../../../shared/contract/team.ts";
import { nameOf } from "../../../shared/state/people.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";

/** The decisions on these calls, of the team and its nested teams, as far as they are known: the last on each. */
export function decisionsOn({ decided = [], inner = {} }: TeamState, refs: readonly string[]): readonly DecidedCall[] {
  const own = refs.flatMap((ref) => decided.findLast((call) => call.ref === ref) ?? []);
  return [...own, ...Object.values(inner).flatMap((team) => decisionsOn(team, refs))];
}

const DONE = { respond: "answered", restart: "approved", deny: "denied" } as const;

/** What `user` is told who decides on calls that others have decided on, or the user before. */
export function alreadyDecided(
  decided: readonly DecidedCall[],
  user: string,
  team: TeamState,
  details: Readonly<Record<string, unknown>>,
): GavelError {
  const sentences = decided.map(({ ref, by, how }) => {
    const who = by === user ? "You have" : `${nameOf(team, by)} has`;
    return `${who} already ${DONE[how]} ${decided.length === 1 ? "this call" : `the call ${ref}`}.`;
  });
  const answeredBy = decided.map(({ ref, by, how }) => ({ ref, by, how }));
  return invalidResume(sentences.join(" "), { ...details, answeredBy });
}
