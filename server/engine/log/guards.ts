import { type GavelError, invalidParams, invalidResume, unknownParticipant } from "../../../shared/contract/errors.ts";
import type { PlacedParticipant } from "../../../shared/contract/stopped.ts";
import { ownValue } from "../../../shared/json-record.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";

/** @throws GavelError `InvalidResume` while calls wait for the user. */
export function assertNothingPending({ pendingTools }: TeamState): void {
  if (pendingTools.length === 0) return;
  const named = pendingTools.map(({ ref, name }) => `${name} (${ref})`).join(", ");
  throw invalidResume(`Tool calls are waiting for a decision: ${named}. Answer them with team/resolveTools first.`, {
    pending: pendingTools.map(({ ref }) => ref),
  });
}

/** @throws GavelError `InvalidResume` when a run without a task has no participant to continue with. */
export function assertCanContinue({ awaitingUser, handoffTo, participants, interrupted }: TeamState): void {
  if (awaitingUser !== undefined && !interrupted) {
    const { participant } = awaitingUser;
    throw invalidResume(
      `It is ${participant}'s turn, and you answer for ${participant}. Send your answer as the task.`,
      {
        awaitingUser,
      },
    );
  }
  if (handoffTo === undefined || participants.some(({ name }) => name === handoffTo)) return;
  const names = participants.map(({ name }) => name).join(", ");
  throw invalidResume(
    `The conversation was handed over to ${handoffTo}. To continue, send a message to one of ${names}.`,
    {
      handoffTo,
    },
  );
}

/** @throws GavelError `InvalidParams` unless the user participant, here or in a nested team, has that handoff. */
export function assertHandoff(
  state: TeamState,
  { participant, path = [] }: NonNullable<TeamState["awaitingUser"]>,
  handoff: string,
): void {
  const team = path.reduce<TeamState | undefined>((outer, name) => ownValue(outer?.inner, name), state);
  const targets =
    team?.participants.find(({ name }) => name === participant)?.handoffs?.map(({ target }) => target) ?? [];
  if (targets.includes(handoff)) return;
  const message =
    targets.length === 0
      ? `${participant} has no handoffs; leave it out`
      : `${participant} can hand over to ${targets.join(" and ")}, not to ${handoff}`;
  throw invalidParams("team/run", [{ path: "handoff", message }]);
}

export const handoffWithoutTurn = (): GavelError =>
  invalidParams("team/run", [
    {
      path: "handoff",
      message: "only a user participant's message can hand over, and no user participant has the turn",
    },
  ]);

/**
 * @throws GavelError `UnknownParticipant` for a name that is not a participant of the team or of a nested team, or, with a
 * `path`, of the nested team there.
 */
export function assertParticipantInTree(state: TeamState, { participant, path }: PlacedParticipant): void {
  const team = path?.reduce<TeamState | undefined>((outer, name) => ownValue(outer?.inner, name), state);
  const known = path === undefined ? membersOf(state) : (team?.participants.map(({ name }) => name) ?? []);
  if (!known.includes(participant)) throw unknownParticipant([...(path ?? []), participant].join("/"), known);
}

const membersOf = ({ participants, inner = {} }: TeamState): string[] => [
  ...participants.map(({ name }) => name),
  ...Object.values(inner).flatMap(membersOf),
];
