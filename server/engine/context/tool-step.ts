import type { ToolCall } from "../../../shared/contract/team.ts";
import type { ContextItem } from "../model.ts";

/** A tool call and its result. */
export interface AnsweredCall extends ToolCall {
  readonly output: unknown;
  readonly isError: boolean;
}

/** A model's answer that requested tools: its text, its calls and their results. */
export interface ToolStep {
  readonly content: string;
  readonly calls: readonly AnsweredCall[];
  /**
   * Set for a step of an earlier, interrupted turn. It does not count toward the iterations of the turn that continues it.
   */
  readonly earlier?: true;
}

/** The items of a step: the answer, then one result for each call, in the order of the calls. */
export function stepItems({ content, calls }: ToolStep): ContextItem[] {
  return [
    { role: "assistant", content, calls: calls.map(({ output, isError, ...call }) => call) },
    ...calls.map(({ ref, name, output, isError }): ContextItem => ({ role: "tool", ref, name, output, isError })),
  ];
}
