import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { ModelInfo } from "../../../shared/contract/model-choice.ts";
import { type CollectedStream, collectStream } from "../cancellation/collector.ts";
import { sizeOf } from "../context/context-totals.ts";
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
import { Summarizing, summaryRequest } from "./summarizing.ts";

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
  #items: ContextItem[];
  /** Invalid answers and the feedback on them, which only this turn's model sees. */
  readonly #corrections: ContextItem[] = [];
  readonly #summarizing: Summarizing;
  #progress: ModelProgress;
  #lastFallback: ModelFallback | undefined;
  /** What answers the current request, or answered the last one. */
  #writer: ModelInfo | undefined;

  constructor(turn: Turn, options: ModelConversationOptions) {
    this.#turn = turn;
    this.#options = options;
    this.#items = [...turn.items];
    this.#progress = turn.progress;
    this.#summarizing = new Summarizing({ turn, ...options });
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
    const correction: ContextItem[] = [
      { role: "assistant", content: answer, calls: [] },
      { role: "user", source: "system", content: feedback },
    ];
    this.#corrections.push(...correction);
    this.#items.push(...correction);
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
    const names = new ModelToolNames(tools);
    const items = names.items(this.#contextItems(tools));
    assertRequestFits(name, items);
    const asked = { instructions, items, tools: names.tools(tools) };
    using sending = new Sending(turn);
    const collector = new AnswerCollector(onText, onThought);
    const answer = answerOf(
      await this.#stream(output === undefined ? asked : { ...asked, output }, collector, sending),
    );
    if (answer === undefined) return undefined;
    // A further request in this turn follows tool calls or an invalid answer.
    this.#progress = afterAnswer(this.#progress, "calls");
    const { thought } = answer;
    turn.emit({
      type: "reasoning/thought",
      from: name,
      correlation_id: [turn.id],
      ...(thought === "" ? {} : { message: thought }),
    });
    const meant = answer.calls.map((call) => ({ ...call, name: names.meant(call.name) }));
    return { answer: { ...answer, calls: meant }, messageId };
  }

  /**
   * Has the model write a summary of the older part of the conversation where that has become too long, or where the user
   * wants one. @returns false when interrupted. @throws what the model threw.
   */
  fit(tools: readonly ToolSpec[]): boolean | Promise<boolean> {
    const mayBeSummarized = this.#options.context?.kind === "summarized" || this.#turn.context?.requested === true;
    return !mayBeSummarized || this.#summarize(tools);
  }

  /** @returns false when interrupted. */
  async #summarize(tools: readonly ToolSpec[]): Promise<boolean> {
    const { name, instructions, output } = this.#options;
    const summarizing = this.#summarizing;
    summarizing.begin();
    const frame = frameTokens(instructions, tools, output?.schema);
    for (;;) {
      const older = await summarizing.next(frame + sizeOf(this.#items).tokens);
      if (older === undefined) return !this.#isStopping;
      this.#turn.emit({ type: "context/summarizing", participant: name });
      using sending = new Sending(this.#turn);
      const collector = new AnswerCollector(() => {});
      const answer = answerOf(await this.#stream(summaryRequest(name, older.items), collector, sending));
      if (answer === undefined) return false;
      this.#turn.emit({
        type: "model/asked",
        by: name,
        purpose: "summary",
        ...(answer.usage === undefined ? {} : { usage: answer.usage }),
      });
      this.#progress = afterAnswer(this.#progress, "calls");
      const items = await summarizing.record(older, answer.text);
      if (items === undefined) return !this.#isStopping;
      this.#items = [...items];
      this.#items.push(...this.#corrections);
    }
  }

  get #isStopping(): boolean {
    return this.#turn.signal.aborted || this.#turn.soft.aborted;
  }

  /** One request to the model, which ends with `sending`. Never throws. */
  #stream(
    asked: Omit<ModelRequest, "participant" | "progress">,
    collector: AnswerCollector,
    sending: Sending,
  ): Promise<CollectedStream<ModelAnswer>> {
    const turn = this.#turn;
    const { name, model } = this.#options;
    const request: ModelRequest = { ...asked, participant: name, progress: this.#progress };
    const reportWait = waitReporter(name, (draft) => turn.emit(draft));
    return collectStream(
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
    const room =
      window === undefined ? undefined : Math.max(1, window - frameTokens(instructions, tools, output?.schema));
    if (context.kind === "summarized") {
      if (room === undefined || sizeOf(this.#items).tokens <= room) return [...this.#items];
      // Where the user has undone the summary, or a single message is too long: as with a limit on tokens.
      return contextItems(groupItems(this.#items), { kind: "tokenLimited", size: room });
    }
    const size = context.kind === "tokenLimited" ? (context.size ?? room) : context.size;
    return contextItems(groupItems(this.#items), { ...context, size });
  }
}

/** Undefined when interrupted. @throws what the model threw. */
function answerOf({ status, output, error }: CollectedStream<ModelAnswer>): ModelAnswer | undefined {
  if (status.code === "interrupted") return undefined;
  if (error !== undefined || output === null) throw error;
  return output;
}
