import type { ContextItem } from "../model.ts";
import { atLeast, type Groups, inOrder } from "./group.ts";

/** How many items a buffered context has when its definition does not say. */
export const DEFAULT_BUFFER = 10;

/**
 * The last `size` items (AutoGen's BufferedChatCompletionContext), and where the oldest of them stand in a group, the whole
 * group. Only the end of the talk is read.
 */
export function buffered(groups: Groups, size = DEFAULT_BUFFER): ContextItem[] {
  return inOrder(groups.undecided, atLeast(groups.backwards(), size));
}
