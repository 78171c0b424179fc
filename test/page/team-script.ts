import type { DurableDraft, TeamEvent, TransientDraft } from "../../shared/contract/event.ts";
import type { ToPage } from "../../shared/page-messages.ts";
import { reduceTeam } from "../../shared/reducer.ts";
import { initialTeamState, snapshotOf, type TeamState } from "../../shared/team-state.ts";

const START = Date.parse("2026-03-02T10:40:00Z");
/** How far apart two durable events are, in milliseconds. */
const STEP = 4000;
/** As the host's `initializationOptions.user.id` would be. */
export const USER = "u-1f3a";

/** A team whose events a test writes down, numbered and timed as the host does. */
export class TeamScript {
  readonly teamId = "team-1";
  readonly events: TeamEvent[] = [];
  state: TeamState;
  #seq = 0;
  #told = 0;
  #message = 0;

  constructor(name = "Code review") {
    this.state = initialTeamState(
      this.teamId,
      {
        name,
        description: "Finds the fault in a change and proves it.",
        kind: "roundRobin",
        participants: [
          { name: "author", description: "Explains and mends the code" },
          { name: "reviewer", description: "Looks for what is wrong" },
          { name: "tester", description: "Proves it with a test" },
        ],
      },
      "file:///project/review.team.yaml",
    );
  }

  durable(...drafts: readonly DurableDraft[]): this {
    for (const draft of drafts) {
      this.#seq++;
      this.#add({ ...draft, seq: this.#seq, at: this.#now() } as TeamEvent);
    }
    return this;
  }

  transient(draft: TransientDraft): this {
    this.#add({ ...draft, at: this.#now() } as TeamEvent);
    return this;
  }

  task(text: string): this {
    const content = { id: this.#newId(), type: "TextMessage" as const, source: USER, content: text };
    return this.durable(
      { type: "run/started", task: text, cause: "run" },
      { type: "message/added", message: { ...content, createdAt: this.#now() } },
    );
  }

  /** A message to one participant, up to where it is asked. */
  directed(to: string, text: string): this {
    const id = this.#newId();
    const message = { id, type: "UserTextMessage" as const, source: USER, content: text, createdAt: this.#now() };
    return this.durable(
      { type: "run/started", cause: "userMessage" },
      { type: "message/added", message: { ...message, metadata: { to } } },
      { type: "userMessage/delivered", id, to },
      { type: "speaker/selected", participants: [to], directed: "continue" },
      { type: "reasoning/start", id: `turn-${id}`, from: to, input: text },
    );
  }

  begin(source: string): string {
    const messageId = this.#newId();
    this.durable(
      { type: "speaker/selected", participants: [source] },
      { type: "reasoning/start", id: `turn-${messageId}`, from: source, input: "" },
      { type: "message/started", messageId, source },
    );
    return messageId;
  }

  chunk(messageId: string, delta: string): this {
    const source = this.state.streaming.find((message) => message.messageId === messageId)?.source ?? "";
    return this.transient({ type: "message/chunk", messageId, source, delta });
  }

  end(messageId: string, source: string, content: string, partial = false): this {
    const message = { id: messageId, type: "TextMessage" as const, source, content, createdAt: this.#now() };
    this.durable({ type: "message/added", message: { ...message, ...(partial ? { partial: true as const } : {}) } });
    return this.durable({ type: "reasoning/conclusion", from: source, correlation_id: [`turn-${messageId}`] });
  }

  say(source: string, content: string): this {
    return this.end(this.begin(source), source, content);
  }

  interrupt(messageId: string, source: string, kept: string): this {
    const at = this.#now();
    const interruptId = `interrupt-${this.#seq}`;
    this.durable(
      { type: "interrupt/requested", interruptId, severity: "pause", grace: "now", by: USER },
      { type: "interrupt/acknowledged", interruptId },
    );
    this.end(messageId, source, kept, true);
    const partials = this.state.thread.slice(-1);
    return this.durable(
      {
        type: "run/ended",
        stopReason: "USER_INTERRUPT",
        status: { code: "interrupted", reason: "external_interrupt" },
        usage: { prompt: 1200, completion: 150, total: 1350 },
      },
      {
        type: "interrupt/completed",
        interruptId,
        wasRunning: true,
        severity: "pause",
        requestedAt: at,
        acknowledgedAt: at,
        quiescedAt: at,
        stopReason: "USER_INTERRUPT",
        partials,
        abandonedTools: [],
        status: "paused",
      },
    );
  }

  ended(stopReason: string | null): this {
    const usage = { prompt: 2400, completion: 610, total: 3010 };
    return this.durable({ type: "run/ended", stopReason, status: { code: "success" }, usage, resets: true });
  }

  /** As the extension tells it: all of it, or its last `count` events. */
  opened(trusted = true, count = this.events.length): Extract<ToPage, { type: "team" }> {
    this.#told = this.events.length;
    const events = count === 0 ? [] : this.events.filter((event) => "seq" in event).slice(-count);
    return { type: "team", snapshot: snapshotOf(this.state), events, trusted };
  }

  /** The `count` durable events before `before`. */
  before(before: number, count: number): TeamEvent[] {
    return this.events.filter((event) => "seq" in event && event.seq < before).slice(-count);
  }

  take(): TeamEvent[] {
    const events = this.events.slice(this.#told);
    this.#told = this.events.length;
    return events;
  }

  #add(event: TeamEvent): void {
    this.events.push(event);
    this.state = reduceTeam(this.state, event);
  }

  #newId(): string {
    this.#message++;
    return `m${this.#message}`;
  }

  #now(): string {
    return new Date(START + this.#seq * STEP).toISOString();
  }
}
