import type { ContextItem } from "../model.ts";
import type { ItemGroups } from "./item-groups.ts";

/** The whole conversation (AutoGen's UnboundedChatCompletionContext). */
export function unbounded(groups: ItemGroups): ContextItem[] {
  const all: ContextItem[] = [];
  for (const { items } of groups.forwards()) all.push(...items);
  return all;
}
