import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { ContextItem } from "../model.ts";
import { buffered } from "./buffered.ts";
import { headAndTail } from "./head-and-tail.ts";
import type { ItemGroups } from "./item-groups.ts";
import { tokenLimited } from "./token-limited.ts";
import { unbounded } from "./unbounded.ts";

/**
 * What of a conversation a model is shown (AutoGen's model contexts); all of it without a definition. It is a valid
 * conversation whenever the conversation is one: groups are kept or dropped whole, and one with a call that waits for the
 * user is kept. Making a context of what it returns and what came after gives what making it of the whole talk does.
 */
export function contextItems(groups: ItemGroups, context: ContextDefinition | undefined): ContextItem[] {
  if (context === undefined) return unbounded(groups);
  switch (context.kind) {
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
