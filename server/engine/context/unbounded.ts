import type { ContextItem } from "../model.ts";
import type { Groups } from "./group.ts";

/** All that was said (AutoGen's UnboundedChatCompletionContext). */
export function unbounded(groups: Groups): ContextItem[] {
  return [...groups.forwards()].flatMap(({ items }) => items);
}
