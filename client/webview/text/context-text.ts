import type { ContextItem } from "../../common/timeline/items.ts";

/** What became of a participant's context. */
export function contextText({ participant, change, tokens }: ContextItem): string {
  switch (change) {
    case "summarized":
      return `The context of ${participant} was summarized${tokens === undefined ? "" : `: ${sizesText(tokens)}`}`;
    case "restored":
      return `${participant} sees the messages again, without a summary`;
    case "requested":
      return `The context of ${participant} will be summarized before its next turn`;
  }
}

const sizesText = ({ before, after }: NonNullable<ContextItem["tokens"]>): string =>
  `about ${before.toLocaleString()} tokens, now ${after.toLocaleString()}`;
