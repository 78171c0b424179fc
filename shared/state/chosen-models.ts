import type { ChosenModel } from "../contract/model-choice.ts";
import type { ParticipantInfo } from "../contract/team.ts";
import { ownValue } from "../json-record.ts";
import { mapValues, type TeamState } from "./team-state.ts";

/** The team and its nested teams after the choice of one model for all of them, or of their own models: `null`. */
export function withTeamModel({ chosenModel: _, ...state }: TeamState, model: ChosenModel | null): TeamState {
  return {
    ...state,
    ...(model === null ? {} : { chosenModel: model }),
    participants: state.participants.map(withoutChoice),
    ...(state.inner === undefined ? {} : { inner: mapValues(state.inner, (team) => withTeamModel(team, model)) }),
  };
}

/**
 * The team after the choice of a participant's model, which is also that of everyone in its nested team. `null` goes back
 * to the team's.
 */
export function withParticipantModel(state: TeamState, name: string, model: ChosenModel | null): TeamState {
  return {
    ...state,
    participants: state.participants.map((participant) =>
      participant.name === name
        ? { ...withoutChoice(participant), ...(model === null ? {} : { chosenModel: model }) }
        : participant,
    ),
    ...(state.inner === undefined
      ? {}
      : {
          inner: Object.fromEntries(
            Object.entries(state.inner).map(([outer, team]) => [
              outer,
              outer === name ? withTeamModel(team, model ?? state.chosenModel ?? null) : team,
            ]),
          ),
        }),
  };
}

const withoutChoice = ({ chosenModel, ...participant }: ParticipantInfo): ParticipantInfo => participant;

/** A choice that the user made: for a participant, named as in `team/setModel`, or for the whole team. */
export interface ModelChoice {
  readonly to?: string;
  readonly model: ChosenModel;
}

/** The choices that made a team's models what they are, in the order in which they lead there again. */
export function modelChoices(state: TeamState): ModelChoice[] {
  const { chosenModel } = state;
  return [
    ...(chosenModel !== undefined && isKnown(chosenModel, state) ? [{ model: chosenModel }] : []),
    ...participantChoices(state),
  ];
}

function participantChoices(state: TeamState): ModelChoice[] {
  const { participants, inner = {} } = state;
  return [
    ...participants.flatMap(({ name, chosenModel }) =>
      chosenModel !== undefined && isKnown(chosenModel, state) ? [{ to: name, model: chosenModel }] : [],
    ),
    ...Object.entries(inner).flatMap(([outer, team]) =>
      participantChoices(team).map(({ to, model }) => ({ to: `${outer}/${to}`, model })),
    ),
  ];
}

/** False for a key that the definition has no more. */
const isKnown = (model: ChosenModel, { models }: TeamState): boolean =>
  typeof model !== "string" || ownValue(models, model) !== undefined;
