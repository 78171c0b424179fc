import type { ToolCall } from "../../../shared/contract/team.ts";
import type { ContextItem } from "../model.ts";

/** A call and its result. */
export interface AnsweredCall extends ToolCall {
  readonly output: unknown;
  readonly isError: boolean;
}

/** An answer of a model that asked for tools, with what was said beside the calls, and their results. */
export interface ToolStep {
  readonly content: string;
  readonly calls: readonly AnsweredCall[];
  /** Set for a step of a turn before, which was interrupted: the turn that continues with it counts its own steps. */
  readonly earlier?: true;
}

/** A step as its model is shown it: the answer, then one result for each call, in the order of the calls. */
export function stepItems({ content, calls }: ToolStep): ContextItem[] {
  return [
    { role: "assistant", content, calls: calls.map(({ ref, name, input }) => ({ ref, name, input })) },
    ...calls.map(({ ref, name, output, isError }): ContextItem => ({ role: "tool", ref, name, output, isError })),
  ];
}
