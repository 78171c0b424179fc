import type { ChosenModel, ModelInfo } from "../../shared/contract/model-choice.ts";
import { modelInfo } from "../../shared/state/model-choice.ts";

/** A model as users see it: its name, or what the provider's only one is called. */
function modelName({ provider, name }: ModelInfo): string {
  if (name !== undefined) return name;
  return provider === "practice" ? "Practice" : "VS Code’s model";
}

/** A key of the team's models is shown as it is. */
export const chosenModelName = (model: ChosenModel): string =>
  typeof model === "string" ? model : modelName(modelInfo(model));
