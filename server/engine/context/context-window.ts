import type { ModelDefinition } from "../../../shared/contract/definition.ts";

/** The tokens reserved for an answer if the model's definition has no limit: this many, or a quarter of a smaller window. */
const ANSWER_ROOM = 4_096;

/**
 * The maximum size of a request to a model, in tokens: its context window less the reserve for the answer. Undefined for a
 * model without a known window.
 */
export function contextWindow(model: ModelDefinition): number | undefined {
  if (model.provider === "practice" || model.contextWindow === undefined) return undefined;
  const limit = "maxTokens" in model ? model.maxTokens : undefined;
  const room = limit ?? Math.min(ANSWER_ROOM, Math.floor(model.contextWindow / 4));
  return Math.max(1, model.contextWindow - room);
}
