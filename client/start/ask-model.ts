import { type QuickPickItem, QuickPickItemKind } from "vscode";
import { plainText } from "../common/plain-text.ts";
import { BACK, pickStep, type StepAnswer, type StepPlace } from "../dialogs/steps.ts";
import type { KeyStore } from "../models/ask-endpoint.ts";
import { knownModels } from "../models/known-models.ts";
import { endpointChoice, foundModels, type ModelChoice, modelOfChoice } from "../models/pick-model.ts";
import type { TeamModel } from "./team-model-text.ts";

/** What the user chose: the model that the file names, or none, as the default one is used or chosen later. */
export interface ModelAnswer {
  readonly model: TeamModel | undefined;
}

type Row = ModelChoice<TeamModel>;

/**
 * Asks for the model of a new team. The first row skips the step.
 * @param how whether the model drafts the file too, and whether the practice model can play the team.
 */
export async function askModel(
  { title, ...place }: StepPlace & { readonly title: string },
  { drafts, practice }: { readonly drafts: boolean; readonly practice: boolean },
  keys: KeyStore,
): Promise<StepAnswer<ModelAnswer>> {
  const [{ preset }, found] = await Promise.all([knownModels(), foundModels()]);
  const answer = await pickStep<Row>({
    title,
    ...place,
    placeholder: drafts ? "Which model drafts the file, and is the team's?" : "Which model does the team use?",
    items: [
      ...(preset !== undefined ? [defaultRow(preset)] : drafts ? [] : [laterRow]),
      ...found,
      ...(practice ? [separator("Without a Model"), practiceRow] : []),
      separator("Other"),
      endpointChoice,
    ],
  });
  if (answer === undefined || answer === BACK) return answer;
  // Without a model these rows leave it to the default one.
  if (answer.command === undefined && answer.endpoint === undefined) return { model: answer.model };
  return modelOfChoice(answer, keys);
}

const defaultRow = (preset: string): Row => ({
  label: "$(settings-gear) Default Model",
  description: plainText(preset),
  detail: "The file names no model, so everyone who opens it uses their own default.",
});

const laterRow: Row = {
  label: "$(debug-step-over) Choose Later",
  detail: "The file names no model. Choose one with Select Model… before the team runs.",
};

const practiceRow: Row = {
  label: "$(beaker) Practice Model",
  description: "no API key",
  detail: "It plays lines of the team file, as in the samples.",
  model: "practice",
};

const separator = (label: string): QuickPickItem => ({ label, kind: QuickPickItemKind.Separator });
