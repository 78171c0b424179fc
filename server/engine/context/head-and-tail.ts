import type { ContextItem } from "../model.ts";
import { DEFAULT_BUFFER } from "./buffered.ts";
import { type ItemGroup, type ItemGroups, itemsInOrder, takeItems } from "./item-groups.ts";

/** How many items of the head there are when the definition does not say: the task. */
const DEFAULT_HEAD = 1;

/** Stands where items were left out. It has no number in it, so that a context made of a context is the same. */
export const OMISSION: ContextItem = {
  role: "user",
  source: "system",
  content: "[Part of the conversation is omitted here.]",
};

export interface HeadAndTail {
  /** How many items of the beginning are kept, 1 if left out. */
  readonly head?: number | undefined;
  /** How many items of the end are kept; if left out, what `size` leaves over, else 10. */
  readonly tail?: number | undefined;
  /** How many items there are in all. */
  readonly size?: number | undefined;
}

/**
 * The beginning and the end of the conversation, with a line between them that says that something is left out (AutoGen's
 * HeadAndTailChatCompletionContext). Groups that reach over a limit are kept whole.
 */
export function headAndTail(groups: ItemGroups, { head = DEFAULT_HEAD, tail, size }: HeadAndTail): ContextItem[] {
  const first = takeItems(groups.forwards(), head);
  const last = takeItems(groups.backwards(), tail ?? (size === undefined ? DEFAULT_BUFFER : Math.max(1, size - head)));
  const headEnd = first.at(-1);
  if (headEnd === undefined || !isGap(groups, headEnd, last)) return itemsInOrder(first, groups.undecided, last);
  const gap: ItemGroup = { at: headEnd.at + 0.5, items: [OMISSION] };
  return itemsInOrder(first, [gap], groups.undecided, last);
}

/** True when something between the head and the tail is left out. */
function isGap(groups: ItemGroups, headEnd: ItemGroup, tail: readonly ItemGroup[]): boolean {
  const tailStart = tail.at(-1);
  const kept = new Set(groups.undecided.map(({ at }) => at));
  for (const { at } of groups.forwards()) {
    if (at > headEnd.at && !kept.has(at)) return tailStart !== undefined && at < tailStart.at;
  }
  return false;
}
