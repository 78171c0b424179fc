import type { ModelItem } from "../../common/timeline/items.ts";

/** What the user chose. */
export function modelText({ participant, model }: ModelItem): string {
  if (participant === undefined) return model === null ? "The team file’s models are used" : `The team uses ${model}`;
  return model === null ? `${participant} uses the team’s model` : `${participant} uses ${model}`;
}
