import type { ModelDefinition } from "../../../shared/contract/definition.ts";

/** The room left for an answer where the model's definition does not bound it: this, or a quarter of a small window. */
const ANSWER_ROOM = 4_096;

/**
 * How many tokens a request to a model may have: its window without the room for its answer. Undefined where no window is
 * given.
 */
export function contextWindow(model: ModelDefinition): number | undefined {
  if (model.provider === "practice" || model.contextWindow === undefined) return undefined;
  const room = model.maxTokens ?? Math.min(ANSWER_ROOM, Math.floor(model.contextWindow / 4));
  return Math.max(1, model.contextWindow - room);
}
