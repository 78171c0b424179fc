import type { ContextItem } from "../model.ts";

/** The result of a call that waits for the user, in case its participant speaks in the meantime. */
export const AWAITING_DECISION = "This call is waiting for the user's decision and has not run yet.";

/** Items that must stay together: a message, or an answer with its calls and one result for each of them. */
export interface ItemGroup {
  /** Its position in the conversation; later groups have higher positions. */
  readonly at: number;
  readonly items: readonly ContextItem[];
}

/** A conversation in groups. It can be read from both ends, so that reading a part only costs that part. */
export interface ItemGroups {
  forwards(): Iterable<ItemGroup>;
  backwards(): Iterable<ItemGroup>;
  /** The groups with a call that waits for the user, oldest first. Every context keeps these. */
  readonly undecided: readonly ItemGroup[];
}

/** The groups of the items of a valid conversation. */
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

/** The items of these groups in the order of the conversation, without duplicates. */
export function itemsInOrder(...parts: readonly (readonly ItemGroup[])[]): ContextItem[] {
  const groups = new Map(parts.flat().map((group) => [group.at, group]));
  return [...groups.values()].sort((a, b) => a.at - b.at).flatMap(({ items }) => items);
}

/** The first of `groups` that together have at least `size` items; all of them if there are fewer. */
export function takeItems(groups: Iterable<ItemGroup>, size: number): ItemGroup[] {
  const taken: ItemGroup[] = [];
  let missing = size;
  if (missing <= 0) return taken;
  for (const group of groups) {
    taken.push(group);
    missing -= group.items.length;
    // A further one may be a long text that has not been read.
    if (missing <= 0) break;
  }
  return taken;
}

function isUndecided(item: ContextItem): boolean {
  return item.role === "tool" && item.isError && item.output === AWAITING_DECISION;
}
