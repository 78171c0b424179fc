import type { ContextItem } from "../model.ts";
import { type ItemGroups, itemsInOrder, takeItems } from "./item-groups.ts";

/** The size of a buffered context, in items, if its definition has none. */
export const DEFAULT_BUFFER = 10;

/**
 * The last `size` items (AutoGen's BufferedChatCompletionContext), extended to whole groups. Only the end of the
 * conversation is read.
 */
export function buffered(groups: ItemGroups, size = DEFAULT_BUFFER): ContextItem[] {
  return itemsInOrder(groups.undecided, takeItems(groups.backwards(), size));
}
