import type { ContextItem } from "../model.ts";
import { type ItemGroup, type ItemGroups, itemsInOrder } from "./item-groups.ts";
import { itemTokens } from "./tokens.ts";

/** The size of a token-limited context, in tokens, if neither its definition nor its model has one. */
const DEFAULT_TOKENS = 8_000;

/**
 * The end of the conversation, up to `size` tokens by the estimate of `tokens.ts` (AutoGen's
 * TokenLimitedChatCompletionContext). It always has the last group, and the groups that wait for the user, which are counted
 * first.
 */
export function tokenLimited(groups: ItemGroups, size = DEFAULT_TOKENS): ContextItem[] {
  const undecided = new Set(groups.undecided.map(({ at }) => at));
  let left = groups.undecided.reduce((sum, group) => sum - tokensOf(group), size);
  const taken: ItemGroup[] = [];
  for (const group of groups.backwards()) {
    if (undecided.has(group.at)) {
      taken.push(group);
      continue;
    }
    left -= tokensOf(group);
    if (left < 0 && taken.length > 0) break;
    taken.push(group);
  }
  return itemsInOrder(groups.undecided, taken);
}

const tokensOf = ({ items }: ItemGroup): number => items.reduce((sum, item) => sum + itemTokens(item), 0);
