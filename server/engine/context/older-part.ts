import type { SummaryEnd } from "../../../shared/contract/context.ts";
import type { ContextItem } from "../model.ts";
import { sizeOf } from "./context-totals.ts";
import type { ItemGroup } from "./item-groups.ts";
import type { TranscriptGroups } from "./transcript-groups.ts";

/** Sizes in tokens, by the estimate of `tokens.ts`. */
export interface PartSizes {
  /** Of the end of the conversation, which is not part of it. */
  readonly kept: number;
  /** Of the part; a single message or tool step may be larger. */
  readonly atMost: number;
}

/** The part of a conversation that a summary can stand for. */
export interface OlderPart {
  /** It begins with the summary before, if there is one. */
  readonly items: readonly ContextItem[];
  readonly through: SummaryEnd;
}

/**
 * The conversation without its end, or as much of its beginning as fits. Groups stay whole, and it has none that waits for
 * the user. Undefined where it would have nothing but the summary before.
 */
export function olderPart(groups: TranscriptGroups, { kept, atMost }: PartSizes): OlderPart | undefined {
  const end = Math.min(startOfEnd(groups, kept), ...groups.undecided.map(({ at }) => at));
  const taken: ItemGroup[] = [];
  let size = 0;
  for (const group of groups.forwards()) {
    if (group.at >= end) break;
    const tokens = tokensOf(group);
    if (size + tokens > atMost && taken.some((one) => groups.endOf(one) !== undefined)) break;
    size += tokens;
    taken.push(group);
  }
  const last = taken.findLastIndex((group) => groups.endOf(group) !== undefined);
  const through = taken[last] && groups.endOf(taken[last]);
  return through && { items: taken.slice(0, last + 1).flatMap(({ items }) => items), through };
}

/** Where the end begins that has so many tokens, or else is one group. */
function startOfEnd(groups: TranscriptGroups, tokens: number): number {
  let start = 0;
  let left = tokens;
  let isFirst = true;
  for (const group of groups.backwards()) {
    left -= tokensOf(group);
    if (left < 0 && !isFirst) break;
    start = group.at;
    isFirst = false;
  }
  return start;
}

const tokensOf = ({ items }: ItemGroup): number => sizeOf(items).tokens;
