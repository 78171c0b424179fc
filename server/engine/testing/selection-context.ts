import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import type { DurableDraft } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { initialTeamState, type TeamState } from "../../../shared/state/team-state.ts";
import { collectStream } from "../cancellation/collector.ts";
import type { Manager, ManagerQuestion, SelectionContext } from "../managers/manager.ts";
import type { ModelPart } from "../model.ts";
import { AnswerCollector, type ModelAnswer } from "../participants/model-answer.ts";

/**
 * A selection context for tests, with a team's state but no team: the test supplies the turns, and can interrupt whenever
 * something is recorded.
 */
export class TestSelectionContext implements SelectionContext {
  state: TeamState;
  readonly messages: ChatMessage[] = [];
  readonly speaking = [];
  /** The types of the recorded events. */
  readonly types: string[] = [];
  /** Called after each recorded event. */
  onRecord: () => void = () => {};
  #abort = new AbortController();
  #nextId = 1;

  constructor(definition: TeamDefinition) {
    this.state = initialTeamState("team-1", definition);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The thread as `source: text`; a partial ends in an ellipsis. */
  get said(): string[] {
    return this.messages.map(({ source, content, partial }) => `${source}: ${content}${partial ? "…" : ""}`);
  }

  interrupt(): void {
    this.#abort.abort();
  }

  /** Continues after an interrupt. */
  resume(): this {
    this.#abort = new AbortController();
    return this;
  }

  /** Adds a message of the user, with the fields of `more`. */
  user(content: string, more: Partial<ChatMessage> = {}): this {
    this.#add({ source: "user", content, ...more });
    return this;
  }

  /** Adds a turn of `name`, finished or interrupted with a partial. */
  turn(name: string, content: string, cut?: "cut"): this {
    const id = `turn-${this.#nextId++}`;
    this.#record({ type: "reasoning/start", id, from: name, input: "" });
    this.#add({ source: name, content, ...(cut ? { partial: true as const } : {}) });
    const interrupted = cut ? { interrupted: true as const } : {};
    this.#record({ type: "reasoning/conclusion", from: name, correlation_id: [id], ...interrupted });
    return this;
  }

  handoff(from: string, to: string): this {
    this.#record({ type: "handoff", from, to });
    return this;
  }

  /** Asks the manager, and records its selection as a run does; returns the speakers, or the reason of the end. */
  async select(manager: Manager): Promise<readonly string[] | string> {
    const selection = await manager.select(this);
    if ("end" in selection) return selection.end;
    const { speakers, note } = selection;
    if (!this.signal.aborted) {
      this.#record({ type: "speaker/selected", participants: [...speakers], ...(note === undefined ? {} : { note }) });
    }
    return speakers;
  }

  async askModel(question: ManagerQuestion): Promise<string | undefined> {
    const answer = await this.#answer(question, () => {});
    if (answer !== undefined) this.#record({ type: "model/asked", by: "manager", purpose: question.purpose });
    return answer?.text;
  }

  async streamMessage(source: string, question: ManagerQuestion): Promise<boolean> {
    let text = "";
    const answer = await this.#answer(question, (delta) => {
      text += delta;
    });
    if (answer !== undefined) this.#add({ source, content: answer.text });
    else if (text !== "") this.#add({ source, content: text, partial: true });
    return answer !== undefined;
  }

  async addMessage(source: string, content: string): Promise<void> {
    if (!this.signal.aborted) this.#add({ source, content });
  }

  saveNote(note: unknown): void {
    if (!this.signal.aborted) this.#record({ type: "manager/noted", note: JSON.parse(JSON.stringify(note)) });
  }

  async #answer(
    { model, purpose, ...asked }: ManagerQuestion,
    onText: (delta: string) => void,
  ): Promise<ModelAnswer | undefined> {
    const { signal } = this;
    const { status, output, error } = await collectStream<ModelPart, ModelAnswer>(
      () => model.stream({ participant: "manager", tools: [], ...asked }, { signal, onRetry: () => {} }),
      new AnswerCollector(onText),
      signal,
    );
    if (status.code === "interrupted") return undefined;
    if (error !== undefined || output === null) throw error;
    return output;
  }

  #add(message: Pick<ChatMessage, "source" | "content"> & Partial<ChatMessage>): void {
    const id = `m${this.#nextId++}`;
    const whole: ChatMessage = { id, type: "TextMessage", createdAt: "2026-01-01T00:00:00.000Z", ...message };
    this.messages.push(whole);
    this.#record({ type: "message/added", message: whole });
  }

  #record(draft: DurableDraft): void {
    this.state = reduceTeam(this.state, { ...draft, seq: this.state.lastSeq + 1, at: "2026-01-01T00:00:00.000Z" });
    this.types.push(draft.type);
    this.onRecord();
  }
}
