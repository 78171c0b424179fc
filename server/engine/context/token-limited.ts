import type { ContextItem } from "../model.ts";
import { type ItemGroup, type ItemGroups, itemsInOrder } from "./item-groups.ts";
import { itemTokens } from "./tokens.ts";

/** How many tokens a token-limited context has when neither its definition nor its model says. */
const DEFAULT_TOKENS = 8_000;

/**
 * The end of the conversation, as much of it as comes to no more than `size` tokens by the estimate of `tokens.ts`
 * (AutoGen's TokenLimitedChatCompletionContext). The last group is there whatever it takes, and so is each that waits for
 * the user: what waits is counted first.
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
