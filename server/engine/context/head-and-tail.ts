import type { ContextItem } from "../model.ts";
import { DEFAULT_BUFFER } from "./buffered.ts";
import { type ItemGroup, type ItemGroups, itemsInOrder, takeItems } from "./item-groups.ts";

/** The size of the head, in items, if the definition has none: the task. */
const DEFAULT_HEAD = 1;

/** Replaces the omitted items. It contains no count, so that applying the context twice gives the same result. */
export const OMISSION: ContextItem = {
  role: "user",
  source: "system",
  content: "[Part of the conversation is omitted here.]",
};

export interface HeadAndTail {
  /** How many items of the beginning are kept; 1 if left out. */
  readonly head?: number | undefined;
  /** How many items of the end are kept; if left out, `size` less the head, or 10 without a size. */
  readonly tail?: number | undefined;
  /** How many items are kept in all. */
  readonly size?: number | undefined;
}

/**
 * The beginning and the end of the conversation, with a note in between that items are omitted (AutoGen's
 * HeadAndTailChatCompletionContext). Groups at a limit are kept as a whole.
 */
export function headAndTail(groups: ItemGroups, { head = DEFAULT_HEAD, tail, size }: HeadAndTail): ContextItem[] {
  const first = takeItems(groups.forwards(), head);
  const last = takeItems(groups.backwards(), tail ?? (size === undefined ? DEFAULT_BUFFER : Math.max(1, size - head)));
  const headEnd = first.at(-1);
  if (headEnd === undefined || !isGap(groups, headEnd, last)) return itemsInOrder(first, groups.undecided, last);
  const gap: ItemGroup = { at: headEnd.at + 0.5, items: [OMISSION] };
  return itemsInOrder(first, [gap], groups.undecided, last);
}

/** True when items between the head and the tail are omitted. */
function isGap(groups: ItemGroups, headEnd: ItemGroup, tail: readonly ItemGroup[]): boolean {
  const tailStart = tail.at(-1);
  const kept = new Set(groups.undecided.map(({ at }) => at));
  for (const { at } of groups.forwards()) {
    if (at > headEnd.at && !kept.has(at)) return tailStart !== undefined && at < tailStart.at;
  }
  return false;
}
