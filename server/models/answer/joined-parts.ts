import type { ModelPart } from "../../engine/model.ts";

/**
 * The parts that arrived together, with text that follows text in one part, and likewise thoughts: each part costs the team
 * much more than its characters do. When the parts end with an error, those before it come first.
 */
export function* joinedParts(parts: Iterable<ModelPart>): Generator<ModelPart, void, undefined> {
  let last: ModelPart | undefined;
  try {
    for (const part of parts) {
      const joined = last === undefined ? part : joinedWith(last, part);
      if (joined === undefined && last !== undefined) yield last;
      last = joined ?? part;
    }
  } catch (error) {
    if (last !== undefined) yield last;
    throw error;
  }
  if (last !== undefined) yield last;
}

function joinedWith(before: ModelPart, part: ModelPart): ModelPart | undefined {
  const isJoined = "delta" in before && "delta" in part && before.type === part.type;
  return isJoined ? { ...part, delta: before.delta + part.delta } : undefined;
}
