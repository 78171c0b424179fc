import type { ChosenModel, ModelInfo } from "../../shared/contract/model-choice.ts";
import type { ParticipantInfo } from "../../shared/contract/team.ts";
import { modelInfo } from "../../shared/state/model-choice.ts";
import type { TeamState } from "../../shared/state/team-state.ts";

/** A model as users see it: its name, or what the provider's only one is called. */
export function modelName({ provider, name }: ModelInfo): string {
  if (name !== undefined) return name;
  return provider === "practice" ? "Practice" : "VS Code’s model";
}

/** A key of the team's models is shown as it is. */
export const chosenModelName = (model: ChosenModel): string =>
  typeof model === "string" ? model : modelName(modelInfo(model));

type ModelTeam = Pick<TeamState, "models" | "chosenModel" | "participants"> & {
  readonly inner?: Readonly<Record<string, ModelTeam>> | undefined;
};

/** The model that a participant has now; undefined for the one that is set for all teams. */
export function currentModel(participant: ParticipantInfo, team: ModelTeam): ModelInfo | undefined {
  return chosenInfo(participant.chosenModel, team) ?? chosenInfo(team.chosenModel, team) ?? participant.definedModel;
}

/** A chosen model as a team knows it; undefined for none, and for a key that the team has no more. */
export function chosenInfo(
  model: ChosenModel | null | undefined,
  { models }: Pick<ModelTeam, "models">,
): ModelInfo | undefined {
  if (model === undefined || model === null) return undefined;
  if (typeof model !== "string") return modelInfo(model);
  return models !== undefined && Object.hasOwn(models, model) ? models[model] : undefined;
}

/**
 * The names of the models that the participants of a team and its nested teams have now, each once; `preset` is the name of
 * the one that is set for all teams.
 */
export function modelNames(team: ModelTeam, preset: string | undefined): string[] {
  const own = team.participants.flatMap((participant) => {
    if (participant.kind === "user" || participant.kind === "team") return [];
    const model = currentModel(participant, team);
    const name = model === undefined ? preset : modelName(model);
    return name === undefined ? [] : [name];
  });
  const within = Object.values(team.inner ?? {}).flatMap((inner) => modelNames(inner, preset));
  return [...new Set([...own, ...within])];
}
