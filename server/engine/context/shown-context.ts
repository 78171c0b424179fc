import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { ContextItem } from "../model.ts";
import { type ContextSize, sizeOf } from "./context-totals.ts";
import { OMISSION } from "./head-and-tail.ts";
import { type ItemGroups, itemsInOrder, takeItems } from "./item-groups.ts";
import { contextItems } from "./model-context.ts";
import { unbounded } from "./unbounded.ts";

/** How many of the last items of a context are shown. */
const TAIL_ITEMS = 5;

/** What a context shows of a conversation, in figures and samples. */
export interface ShownContext extends ContextSize {
  /** How many items of the conversation are left out. */
  readonly dropped: number;
  readonly first: ContextItem | undefined;
  readonly tail: readonly ContextItem[];
}

/** Reads only what the context shows, and of a whole conversation only its ends, if the size of all items is `known`. */
export function shownContext(
  groups: ItemGroups,
  known: ContextSize | undefined,
  context: ContextDefinition | undefined,
): ShownContext {
  const isWhole = context === undefined || context.kind === "unbounded" || context.kind === "summarized";
  const all = known ?? sizeOf(unbounded(groups));
  if (isWhole) {
    const [first] = takeItems(groups.forwards(), 1);
    const tail = itemsInOrder(takeItems(groups.backwards(), TAIL_ITEMS));
    return { ...all, dropped: 0, first: first?.items[0], tail: tail.slice(-TAIL_ITEMS) };
  }
  const shown = contextItems(groups, context);
  const kept = shown.filter((item) => item !== OMISSION).length;
  return { ...sizeOf(shown), dropped: all.items - kept, first: shown[0], tail: shown.slice(-TAIL_ITEMS) };
}
