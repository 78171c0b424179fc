import type { ContextItem } from "../model.ts";
import { type ItemGroups, itemsInOrder, takeItems } from "./item-groups.ts";

/** How many items a buffered context has when its definition does not say. */
export const DEFAULT_BUFFER = 10;

/**
 * The last `size` items (AutoGen's BufferedChatCompletionContext), and where the oldest of them stand in a group, the whole
 * group. Only the end of the conversation is read.
 */
export function buffered(groups: ItemGroups, size = DEFAULT_BUFFER): ContextItem[] {
  return itemsInOrder(groups.undecided, takeItems(groups.backwards(), size));
}
