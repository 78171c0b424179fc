import type { ReasoningReason, ReasoningStatus } from "../../../shared/contract/reasoning.ts";
import { listText } from "../../../shared/text/list-text.ts";
import type { ReasoningItem } from "../../common/timeline/items.ts";

const reasonTexts: Readonly<Record<ReasoningReason, string>> = {
  timeout: "time is up",
  redirect: "change of direction",
  error: "an error",
  user_request: "requested by the user",
  resource_limit: "resource limit reached",
  other: "",
};

/** A request to stop reasoning: who asked which participants, and why. */
export function reasoningText({ to, reason, message }: ReasoningItem, from: string): string {
  const why = message ?? reasonTexts[reason];
  return `${from} asked ${listText(to)} to stop reasoning${why === "" ? "" : `: ${why}`}`;
}

const answerTexts: Readonly<Record<ReasoningStatus, string>> = {
  stopping: "is stopping",
  completing_thought: "finishes its thought first",
  continuing: "continues",
  ignored: "ignores the request",
};

/** The answer of each participant; empty before the first answer. */
export function answersText({ answers }: ReasoningItem): string {
  return answers.map(({ from, status }) => `${from} ${answerTexts[status]}`).join(" · ");
}
