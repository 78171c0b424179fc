import { visibleLines } from "../../../shared/text/visible-text.ts";
import { chosenModelName, modelName, type OfferedModel } from "../../common/model-name.ts";
import type { FallbackItem, ModelItem } from "../../common/timeline/items.ts";

/** What the user chose. */
export function modelText({ participant, model }: ModelItem, offered: readonly OfferedModel[]): string {
  const name = model === null ? null : chosenModelName(model, offered);
  if (participant === undefined) return name === null ? "The team file’s models are used" : `The team uses ${name}`;
  return name === null ? `${participant} uses the team’s model` : `${participant} uses ${name}`;
}

/** Which model answers instead of which, with the cause. */
export function fallbackText(
  { participant, from, to, reason }: FallbackItem,
  offered: readonly OfferedModel[],
): string {
  return `${modelName(to, offered)} answers for ${participant} instead of ${modelName(from, offered)}: ${visibleLines(reason)}`;
}
