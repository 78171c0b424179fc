import type { ChosenModel, ModelInfo } from "../../shared/contract/model-choice.ts";
import type { ParticipantInfo } from "../../shared/contract/team.ts";
import { modelInfo, usesModel } from "../../shared/state/model-choice.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { visibleLines } from "../../shared/text/visible-text.ts";

/** A language model of VS Code, as the extension describes it that offers it. Its texts are hostile. */
export interface OfferedModel {
  readonly vendor: string;
  readonly id: string;
  readonly family: string;
  readonly name: string;
}

/** What models are called that have no name of their own in a team. */
export interface KnownModels {
  /** The name of the model that is set for all teams; none if there is none. */
  readonly preset: string | undefined;
  /** The models of VS Code, in its order. */
  readonly offered: readonly OfferedModel[];
}

/** Whether a definition means this model of VS Code. Of several that it means, the first is used. */
export const isMeant = (
  { vendor, model }: { readonly vendor?: string | undefined; readonly model?: string | undefined },
  offered: OfferedModel,
): boolean =>
  (vendor === undefined || vendor === offered.vendor) &&
  (model === undefined || [offered.id, offered.family, offered.name].includes(model));

/** A model as users see it, on one line: its name, or what the provider's only one is called. */
export function modelName({ provider, name, vendor, worker }: ModelInfo, offered: readonly OfferedModel[]): string {
  if (name === undefined) return provider === "practice" ? "Practice" : "VS Code’s model";
  const found = provider === "vscode" ? offered.find((one) => isMeant({ vendor, model: name }, one)) : undefined;
  const own = (found === undefined ? "" : oneLine(found.name)) || oneLine(name);
  return worker === undefined ? own : `${own} on ${oneLine(worker)}`;
}

/** The name of a model that VS Code offers. */
export const offeredName = ({ name, id }: OfferedModel): string => oneLine(name) || oneLine(id);

const LONGEST = 100;

/** On one line, in visible characters, and cut. */
function oneLine(name: string): string {
  const line = visibleLines(
    name
      .slice(0, 10 * LONGEST)
      .replace(/\s+/g, " ")
      .trim(),
  );
  const characters = Array.from(line);
  return characters.length <= LONGEST ? line : `${characters.slice(0, LONGEST - 1).join("")}…`;
}

/** A key of the team's models is shown as it is. */
export const chosenModelName = (model: ChosenModel, offered: readonly OfferedModel[]): string =>
  typeof model === "string" ? model : modelName(modelInfo(model), offered);

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

/** The name of the model that a participant has now; undefined if it has none. */
export function currentModelName(
  participant: ParticipantInfo,
  team: ModelTeam,
  { preset, offered }: KnownModels,
): string | undefined {
  const model = currentModel(participant, team);
  return model === undefined ? preset : modelName(model, offered);
}

type AskingTeam = Pick<TeamState, "kind" | "participants"> & {
  readonly inner?: Readonly<Record<string, AskingTeam>> | undefined;
};

/** Whether anything in a team asks a model of Gavel: one of agents alone does not, unless a model chooses who speaks. */
export const asksModels = ({ kind, participants, inner = {} }: AskingTeam): boolean =>
  kind === "selector" || kind === "magentic" || participants.some(usesModel) || Object.values(inner).some(asksModels);

/** The names of the models that the participants of a team and its nested teams have now, each once. */
export function modelNames(team: ModelTeam, known: KnownModels): string[] {
  const own = team.participants.flatMap((participant) => {
    if (!usesModel(participant)) return [];
    return currentModelName(participant, team, known) ?? [];
  });
  const within = Object.values(team.inner ?? {}).flatMap((inner) => modelNames(inner, known));
  return [...new Set([...own, ...within])];
}
