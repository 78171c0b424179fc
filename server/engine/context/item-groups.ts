import type { ContextItem } from "../model.ts";

/** What a call's result is while the call waits for the user, should its participant be asked to speak in the meantime. */
export const AWAITING_DECISION = "This call is waiting for the user's decision and has not run yet.";

/** What must stay together: a message, or an answer with its calls and one result for each of them. */
export interface ItemGroup {
  /** Its place in the conversation; later groups have higher ones. */
  readonly at: number;
  readonly items: readonly ContextItem[];
}

/** A talk in its groups, read from whichever end so that a part of it costs no more than that part. */
export interface ItemGroups {
  forwards(): Iterable<ItemGroup>;
  backwards(): Iterable<ItemGroup>;
  /** Those with a call that waits for the user, oldest first: every context keeps them. */
  readonly undecided: readonly ItemGroup[];
}

/** The groups of items that are a valid conversation. */
export function groupItems(items: readonly ContextItem[]): ItemGroups {
  const groups: { readonly at: number; readonly items: ContextItem[] }[] = [];
  for (const [at, item] of items.entries()) {
    const last = groups.at(-1);
    if (item.role === "tool" && last !== undefined) last.items.push(item);
    else groups.push({ at, items: [item] });
  }
  return {
    forwards: () => groups,
    backwards: () => groups.toReversed(),
    undecided: groups.filter((group) => group.items.some(isUndecided)),
  };
}

/** The items of these groups in the order of the conversation, each group once. */
export function itemsInOrder(...parts: readonly (readonly ItemGroup[])[]): ContextItem[] {
  const groups = new Map(parts.flat().map((group) => [group.at, group]));
  return [...groups.values()].sort((a, b) => a.at - b.at).flatMap(({ items }) => items);
}

/** The first groups of `groups` that come to `size` items or more; all of them when there are not so many. */
export function takeItems(groups: Iterable<ItemGroup>, size: number): ItemGroup[] {
  const taken: ItemGroup[] = [];
  let missing = size;
  for (const group of groups) {
    if (missing <= 0) break;
    taken.push(group);
    missing -= group.items.length;
  }
  return taken;
}

function isUndecided(item: ContextItem): boolean {
  return item.role === "tool" && item.isError && item.output === AWAITING_DECISION;
}
