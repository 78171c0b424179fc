import type { ReasoningReason, ReasoningStatus } from "../../../shared/contract/reasoning.ts";
import { listText } from "../../common/list-text.ts";
import type { ReasoningItem } from "../../common/timeline/items.ts";

const reasoningReasons: Readonly<Record<ReasoningReason, string>> = {
  timeout: "time is up",
  redirect: "another way is wanted",
  error: "something went wrong",
  user_request: "the user wishes it",
  resource_limit: "a limit is reached",
  other: "",
};

/** Who asked whom to interrupt their reasoning, and why. */
export function reasoningText({ to, reason, message }: ReasoningItem, from: string): string {
  const why = message ?? reasoningReasons[reason];
  return `${from} asked ${listText(to)} to stop reasoning${why === "" ? "" : `: ${why}`}`;
}

const reasoningAnswers: Readonly<Record<ReasoningStatus, string>> = {
  stopping: "stops",
  completing_thought: "ends the thought first",
  continuing: "goes on",
  ignored: "is not bound to listen",
};

/** What each of those answered; empty before the first answer. */
export function answersText({ answers }: ReasoningItem): string {
  return answers.map(({ from, status }) => `${from} ${reasoningAnswers[status]}`).join(" · ");
}
