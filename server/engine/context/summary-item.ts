import type { ContextSummary } from "../../../shared/contract/context.ts";
import type { ContextItem } from "../model.ts";

/** A summary as its participant's model is shown it, in place of what it is about. */
export const summaryItem = ({ text }: ContextSummary): ContextItem => ({
  role: "user",
  source: "system",
  content: `This summary, which you wrote, stands for the earlier part of the conversation:\n\n${text}`,
});
