import { newId } from "../id.ts";
import type { ContextItem, Model, ToolSpec } from "../model.ts";
import { collect } from "../run/collector.ts";
import { type Answer, AnswerGatherer } from "./answer.ts";
import type { CallOutcome, Participant, Reply, RequestedCall, Turn, TurnOutcome } from "./participant.ts";

/** How many times in one turn an assistant may go from its model to its tools, when its definition does not say. */
const DEFAULT_TOOL_ITERATIONS = 10;

export interface AssistantOptions {
  readonly name: string;
  readonly instructions: string;
  readonly model: Model;
  readonly tools: readonly ToolSpec[];
  readonly maxToolIterations?: number | undefined;
  /** Ask the model for a last word when the iterations are used up, in place of a summary of the tools' results. */
  readonly reflectOnToolUse?: boolean | undefined;
}

/** One answer of the model, and the id under which its text was streamed, if it had any. */
interface Step {
  readonly answer: Answer;
  readonly messageId: string | undefined;
}

/**
 * A participant that speaks through a model (AutoGen's AssistantAgent): it asks the model, runs the tools the answer asks for,
 * all at once, shows the model their results, and so on until the model speaks or `maxToolIterations` is reached.
 */
export class Assistant implements Participant {
  readonly name: string;
  readonly #options: AssistantOptions;

  constructor(options: AssistantOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async takeTurn(turn: Turn): Promise<TurnOutcome> {
    const items = [...turn.items];
    const iterations = this.#options.maxToolIterations ?? DEFAULT_TOOL_ITERATIONS;
    for (let iteration = 1; ; iteration++) {
      const step = await this.#ask(turn, items, this.#options.tools);
      if (step === undefined) return { kind: "interrupted" };
      if (step.answer.calls.length === 0) return { kind: "reply", reply: textReply(step) };
      const calls = turn.nameCalls(step.answer.calls);
      const outcomes = await this.#runCalls(turn, step.answer, calls);
      if (outcomes.some(({ kind }) => kind === "interrupted")) return { kind: "interrupted" };
      if (outcomes.some(({ kind }) => kind === "pending")) return { kind: "awaitingTools" };
      items.push(...conversation(step.answer, calls, outcomes));
      if (iteration >= iterations) return this.#lastWord(turn, items, outcomes);
    }
  }

  /** One model step; nothing when it was interrupted. */
  async #ask(turn: Turn, items: readonly ContextItem[], tools: readonly ToolSpec[]): Promise<Step | undefined> {
    let messageId: string | undefined;
    const gatherer = new AnswerGatherer((delta) => {
      if (messageId === undefined) {
        messageId = newId("msg");
        turn.emit({ type: "message/started", messageId, source: this.name });
      }
      turn.emit({ type: "message/chunk", messageId, source: this.name, delta });
    });
    const request = { participant: this.name, instructions: this.#options.instructions, items: [...items], tools };
    const collected = await collect(
      () =>
        this.#options.model.stream(request, {
          signal: turn.signal,
          onRetry: (retry) => turn.emit({ type: "model/retry", participant: this.name, ...retry }),
        }),
      gatherer,
      turn.signal,
    );
    if (collected.status.code === "interrupted") return undefined;
    if (collected.error !== undefined || collected.output === null) throw collected.error;
    const { thought } = collected.output;
    turn.emit({
      type: "reasoning/thought",
      from: this.name,
      correlation_id: [turn.id],
      ...(thought === "" ? {} : { message: thought }),
    });
    return { answer: collected.output, messageId };
  }

  #runCalls(turn: Turn, answer: Answer, calls: readonly RequestedCall[]): Promise<CallOutcome[]> {
    turn.emit({
      type: "tool/requested",
      participant: this.name,
      calls: calls.map(({ ref, name, input }) => ({ ref, name, input })),
      ...(answer.text === "" ? {} : { content: answer.text }),
      ...(answer.usage === undefined ? {} : { usage: answer.usage }),
    });
    return turn.runCalls(calls);
  }

  async #lastWord(turn: Turn, items: readonly ContextItem[], outcomes: readonly CallOutcome[]): Promise<TurnOutcome> {
    if (this.#options.reflectOnToolUse) {
      const step = await this.#ask(turn, items, []);
      return step === undefined ? { kind: "interrupted" } : { kind: "reply", reply: textReply(step) };
    }
    const content = outcomes.flatMap((outcome) => (outcome.kind === "done" ? [outputText(outcome.output)] : []));
    return { kind: "reply", reply: { type: "ToolCallSummaryMessage", content: content.join("\n") } };
  }
}

function textReply({ answer, messageId }: Step): Reply {
  return {
    type: "TextMessage",
    content: answer.text,
    ...(messageId === undefined ? {} : { id: messageId }),
    ...(answer.usage === undefined ? {} : { usage: answer.usage }),
  };
}

function conversation(
  answer: Answer,
  calls: readonly RequestedCall[],
  outcomes: readonly CallOutcome[],
): ContextItem[] {
  const results = outcomes.flatMap((outcome, at): ContextItem[] => {
    const name = calls[at]?.name ?? "";
    if (outcome.kind !== "done") return [];
    return [{ role: "tool", ref: outcome.ref, name, output: outcome.output, isError: outcome.isError }];
  });
  return [{ role: "assistant", content: answer.text, calls }, ...results];
}

const outputText = (output: unknown): string => (typeof output === "string" ? output : JSON.stringify(output));
