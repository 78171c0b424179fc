import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { ModelInfo } from "../../../shared/contract/model-choice.ts";
import { collectStream } from "../cancellation/collector.ts";
import { groupItems } from "../context/item-groups.ts";
import { contextItems } from "../context/model-context.ts";
import { afterAnswer } from "../context/model-progress.ts";
import { assertRequestFits } from "../context/request-size.ts";
import { frameTokens } from "../context/tokens.ts";
import { stepItems, type ToolStep } from "../context/tool-step.ts";
import { newId } from "../id.ts";
import type { ContextItem, Model, ModelFallback, ModelProgress, ModelRequest, ToolSpec } from "../model.ts";
import { AnswerCollector, type ModelAnswer } from "./model-answer.ts";
import { ModelToolNames } from "./model-tool-names.ts";
import { waitReporter } from "./model-wait.ts";
import type { Turn } from "./participant.ts";
import { Sending } from "./sending.ts";

export interface ModelConversationOptions {
  readonly name: string;
  readonly model: Model;
  readonly instructions: string;
  /** The schema that the answer must match. Such an answer is not streamed. */
  readonly output?: ModelRequest["output"];
  readonly context?: ContextDefinition | undefined;
  /** The maximum size of a request in tokens, for a token-limited context without a size. */
  readonly window?: number | undefined;
}

/** One answer of the model, and the message id of its streamed text, if any. */
export interface ModelStep {
  readonly answer: ModelAnswer;
  readonly messageId: string | undefined;
}

/** A participant's conversation with its model during one turn. It grows with each step. */
export class ModelConversation {
  readonly #turn: Turn;
  readonly #options: ModelConversationOptions;
  readonly #items: ContextItem[];
  #progress: ModelProgress;
  #lastFallback: ModelFallback | undefined;
  /** What answers the current request, or answered the last one. */
  #writer: ModelInfo | undefined;

  constructor(turn: Turn, options: ModelConversationOptions) {
    this.#turn = turn;
    this.#options = options;
    this.#items = [...turn.items];
    this.#progress = turn.progress;
  }

  /** The model that gave the last answer, which may be a fallback. */
  get written(): { readonly model?: ModelInfo } {
    return this.#writer === undefined ? {} : { model: this.#writer };
  }

  /** Adds an answer's calls and their results. */
  addStep(step: ToolStep): void {
    this.#items.push(...stepItems(step));
  }

  /** Adds an invalid answer and the feedback on it. Neither is shown in the thread. */
  addCorrection(answer: string, feedback: string): void {
    this.#items.push(
      { role: "assistant", content: answer, calls: [] },
      { role: "user", source: "system", content: feedback },
    );
  }

  /**
   * One model request; undefined when interrupted. @throws GavelError `ModelError` for one that is too long, or what the
   * model threw.
   */
  async askModel(tools: readonly ToolSpec[]): Promise<ModelStep | undefined> {
    const turn = this.#turn;
    const { name, model, instructions, output } = this.#options;
    this.#writer = model.info;
    let messageId: string | undefined;
    const onText = (delta: string): void => {
      if (output !== undefined) return;
      if (messageId === undefined) {
        messageId = newId("msg");
        turn.emit({ type: "message/started", messageId, source: name, ...this.written });
      }
      turn.emit({ type: "message/chunk", messageId, source: name, delta });
    };
    const onThought = (delta: string): void =>
      turn.emit({ type: "reasoning/chunk", from: name, correlation_id: [turn.id], delta });
    const collector = new AnswerCollector(onText, onThought);
    const names = new ModelToolNames(tools);
    const items = names.items(this.#contextItems(tools));
    assertRequestFits(name, items);
    const asked = {
      participant: name,
      instructions,
      items,
      tools: names.tools(tools),
      progress: this.#progress,
    };
    const request: ModelRequest = output === undefined ? asked : { ...asked, output };
    using sending = new Sending(turn);
    const reportWait = waitReporter(name, (draft) => turn.emit(draft));
    const collected = await collectStream(
      () =>
        model.stream(request, {
          signal: sending.signal,
          onRetry: (retry) => turn.emit({ type: "model/retry", participant: name, ...retry }),
          onFallback: (fallback) => this.#reportFallback(fallback),
          onWait: (wait) => {
            reportWait(wait);
            sending.isWaiting = wait !== undefined;
          },
        }),
      collector,
      sending.signal,
    );
    if (collected.status.code === "interrupted") return undefined;
    if (collected.error !== undefined || collected.output === null) throw collected.error;
    // A further request in this turn follows tool calls or an invalid answer.
    this.#progress = afterAnswer(this.#progress, "calls");
    const { thought } = collected.output;
    turn.emit({
      type: "reasoning/thought",
      from: name,
      correlation_id: [turn.id],
      ...(thought === "" ? {} : { message: thought }),
    });
    const { calls } = collected.output;
    const meant = calls.map((call) => ({ ...call, name: names.meant(call.name) }));
    return { answer: { ...collected.output, calls: meant }, messageId };
  }

  /** Within a turn, each is told once: a model that is out of order is not asked for a while. */
  #reportFallback(fallback: ModelFallback): void {
    this.#writer = fallback.to;
    const last = this.#lastFallback;
    this.#lastFallback = fallback;
    if (JSON.stringify(last) === JSON.stringify(fallback)) return;
    this.#turn.emit({ type: "model/fallback", participant: this.#options.name, ...fallback });
  }

  /** The context includes the steps of this turn as well as the conversation before it. */
  #contextItems(tools: readonly ToolSpec[]): ContextItem[] {
    const { context, window, instructions, output } = this.#options;
    if (context === undefined || context.kind === "unbounded") return [...this.#items];
    const isOpen = context.kind === "tokenLimited" && context.size === undefined && window !== undefined;
    const size = isOpen ? Math.max(1, window - frameTokens(instructions, tools, output?.schema)) : context.size;
    return contextItems(groupItems(this.#items), { ...context, size });
  }
}
