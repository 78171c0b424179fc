import { invalidResume, unknownParticipant } from "../../../shared/contract/errors.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";

/** @throws GavelError `InvalidResume` while calls wait for the user. */
export function assertNothingPending({ pendingTools }: TeamState): void {
  if (pendingTools.length === 0) return;
  const named = pendingTools.map(({ ref, name }) => `${name} (${ref})`).join(", ");
  throw invalidResume(`Tool calls wait for the user: ${named}; answer them with team/resolveTools first.`, {
    pending: pendingTools.map(({ ref }) => ref),
  });
}

/** There must be somebody to go on with, without a task. @throws GavelError `InvalidResume`. */
export function assertCanContinue({ awaitingUser, handoffTo, participants, interrupted }: TeamState): void {
  if (awaitingUser !== undefined && !interrupted) {
    const { participant } = awaitingUser;
    throw invalidResume(`It is ${participant}'s turn, for whom you speak; give a task, which is what it says.`, {
      awaitingUser,
    });
  }
  if (handoffTo === undefined || participants.some(({ name }) => name === handoffTo)) return;
  const names = participants.map(({ name }) => name).join(", ");
  throw invalidResume(`The talk was handed over to ${handoffTo}; send a message to one of ${names} to go on.`, {
    handoffTo,
  });
}

/** @throws GavelError `UnknownParticipant` for nobody of the team itself. */
export function assertParticipant({ participants }: TeamState, name: string): void {
  const known = participants.map((participant) => participant.name);
  if (!known.includes(name)) throw unknownParticipant(name, known);
}

/** @throws GavelError `UnknownParticipant` for nobody of the team or of one within it. */
export function assertParticipantInTree(state: TeamState, name: string): void {
  const known = membersOf(state);
  if (!known.includes(name)) throw unknownParticipant(name, known);
}

const membersOf = ({ participants, inner = {} }: TeamState): string[] => [
  ...participants.map(({ name }) => name),
  ...Object.values(inner).flatMap(membersOf),
];
