import type { ChatMessage } from "../../../shared/contract/message.ts";
import { collectStream } from "../cancellation/collector.ts";
import { newId } from "../id.ts";
import type { Ledger } from "../log/ledger.ts";
import type { ManagerQuestion, SelectionContext } from "../managers/manager.ts";
import type { ModelPart } from "../model.ts";
import { AnswerCollector, type ModelAnswer } from "../participants/model-answer.ts";
import { waitReporter } from "../participants/model-wait.ts";
import type { Transcript } from "./transcript.ts";

export interface SelectionContextOptions {
  readonly ledger: Ledger;
  readonly transcript: Transcript;
  readonly speaking: readonly string[];
  readonly signal: AbortSignal;
}

/** What a manager works with during one selection. After an interrupt it records nothing more. */
export class TeamSelectionContext implements SelectionContext {
  readonly #options: SelectionContextOptions;

  constructor(options: SelectionContextOptions) {
    this.#options = options;
  }

  get state(): SelectionContext["state"] {
    return this.#options.ledger.state;
  }

  get messages(): readonly ChatMessage[] {
    return this.#options.transcript.messages;
  }

  get speaking(): readonly string[] {
    return this.#options.speaking;
  }

  get signal(): AbortSignal {
    return this.#options.signal;
  }

  async askModel(question: ManagerQuestion): Promise<string | undefined> {
    const by = this.state.kind;
    const answer = await this.#stream(by, question, () => {});
    if (answer === undefined || this.signal.aborted) return undefined;
    this.#recordAsked(by, question, answer);
    return answer.text;
  }

  async streamMessage(source: string, question: ManagerQuestion): Promise<boolean> {
    const { ledger } = this.#options;
    const messageId = newId("msg");
    let hasStarted = false;
    const answer = await this.#stream(this.state.kind, question, (delta) => {
      if (this.signal.aborted) return;
      if (!hasStarted) ledger.record({ type: "message/started", messageId, source });
      hasStarted = true;
      // A listener of that event may have interrupted.
      if (this.signal.aborted) return;
      ledger.record({ type: "message/chunk", messageId, source, delta });
    });
    if (answer === undefined || this.signal.aborted) return false;
    this.#recordAsked(this.state.kind, question, { ...answer, usage: undefined });
    const usage = answer.usage === undefined ? {} : { usage: answer.usage };
    return this.#add({ id: messageId, type: "TextMessage", source, content: answer.text, createdAt: now(), ...usage });
  }

  async addMessage(source: string, content: string): Promise<void> {
    await this.#add({ id: newId("msg"), type: "TextMessage", source, content, createdAt: now() });
  }

  saveNote(note: unknown): void {
    if (!this.signal.aborted) this.#options.ledger.record({ type: "manager/noted", note });
  }

  /** Records a message; false if an interrupt came first. */
  async #add(message: ChatMessage): Promise<boolean> {
    const { ledger } = this.#options;
    const preparing = ledger.prepare({ type: "message/added", message }, this.signal);
    if (preparing !== undefined) await preparing;
    if (this.signal.aborted) return false;
    ledger.record({ type: "message/added", message });
    return true;
  }

  #recordAsked(by: string, { purpose }: ManagerQuestion, { usage }: Pick<ModelAnswer, "usage">): void {
    this.#options.ledger.record({ type: "model/asked", by, purpose, ...(usage === undefined ? {} : { usage }) });
  }

  /** The model's whole answer; undefined if it was interrupted. */
  async #stream(
    by: string,
    question: ManagerQuestion,
    onText: (delta: string) => void,
  ): Promise<ModelAnswer | undefined> {
    const { model, instructions, items, output } = question;
    const { ledger, transcript, signal } = this.#options;
    const progress = transcript.progressOf(by);
    const request = { participant: by, instructions, items, tools: [], output, progress };
    const collector = new AnswerCollector(onText);
    const {
      status,
      output: answer,
      error,
    } = await collectStream<ModelPart, ModelAnswer>(
      () =>
        model.stream(request, {
          signal,
          onRetry: (retry) => {
            if (!signal.aborted) ledger.record({ type: "model/retry", participant: by, ...retry });
          },
          onFallback: (fallback) => {
            if (!signal.aborted) ledger.record({ type: "model/fallback", participant: by, ...fallback });
          },
          onWait: waitReporter(by, (draft) => {
            if (!signal.aborted) ledger.record(draft);
          }),
        }),
      collector,
      signal,
    );
    if (status.code === "interrupted") return undefined;
    if (error !== undefined || answer === null) throw error;
    return answer;
  }
}

const now = (): string => new Date().toISOString();
