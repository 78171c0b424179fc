import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { ContextItem } from "../model.ts";
import { buffered } from "./buffered.ts";
import { headAndTail } from "./head-and-tail.ts";
import type { ItemGroups } from "./item-groups.ts";
import { tokenLimited } from "./token-limited.ts";
import { unbounded } from "./unbounded.ts";

/**
 * The part of a conversation that a model is shown (AutoGen's model contexts); all of it without a definition. The result is
 * a valid conversation: groups are kept or dropped as a whole, and a group with a call that waits for the user is kept.
 * Applying a context to its own result plus later items gives the same as applying it to the whole conversation.
 */
export function contextItems(groups: ItemGroups, context: ContextDefinition | undefined): ContextItem[] {
  if (context === undefined) return unbounded(groups);
  switch (context.kind) {
    // Its groups begin with the summary.
    case "summarized":
    case "unbounded":
      return unbounded(groups);
    case "buffered":
      return buffered(groups, context.size);
    case "headAndTail":
      return headAndTail(groups, context);
    case "tokenLimited":
      return tokenLimited(groups, context.size);
    default:
      return context.kind satisfies never;
  }
}
