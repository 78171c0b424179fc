import type { ToPage } from "../../client/common/page-messages.ts";
import { LOCAL_USER_ID } from "../../client/common/user-id.ts";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import type { DurableDraft, TeamEvent, TransientDraft } from "../../shared/contract/event.ts";
import type { ChatMessage } from "../../shared/contract/message.ts";
import type { InterruptReceipt, QueuedMessage } from "../../shared/contract/team.ts";
import { reduceTeam } from "../../shared/state/reducer.ts";
import { initialTeamState, snapshotOf, type TeamState } from "../../shared/state/team-state.ts";

const START = Date.parse("2026-03-02T10:40:00Z");
/** How far apart two durable events are, in milliseconds. */
const STEP = 4000;
/** As the host's `initializationOptions.user.id` would be. */
export const USER = "u-1f3a";

/** A team whose events a test writes; they are numbered and timed as the host does. */
export class TeamScript {
  readonly teamId: string;
  readonly events: TeamEvent[] = [];
  /** The id of the user of the window. */
  user = LOCAL_USER_ID;
  state: TeamState;
  #seq = 0;
  #taken = 0;
  #message = 0;
  #path: readonly string[] = [];

  constructor(name = "Code review", more: Partial<TeamDefinition> = {}, teamId = "team-1") {
    this.teamId = teamId;
    const definition: TeamDefinition = {
      name,
      description: "Finds the fault in a change and proves it.",
      kind: "roundRobin",
      participants: [
        { name: "author", description: "Explains and fixes the code" },
        { name: "reviewer", description: "Looks for what is wrong" },
        { name: "tester", description: "Proves it with a test" },
      ],
    };
    this.state = initialTeamState(this.teamId, { ...definition, ...more }, "file:///project/review.team.yaml");
  }

  /** Writes events of the nested team at a path. */
  inNestedTeam(path: readonly string[], write: (script: this) => void): this {
    const outer = this.#path;
    this.#path = path;
    write(this);
    this.#path = outer;
    return this;
  }

  durable(...drafts: readonly DurableDraft[]): this {
    for (const draft of drafts) {
      this.#seq++;
      this.#add({ ...draft, ...this.#place, seq: this.#seq } as TeamEvent);
    }
    return this;
  }

  transient(draft: TransientDraft): this {
    this.#add({ ...draft, ...this.#place } as TeamEvent);
    return this;
  }

  task(text: string): this {
    const content = { id: this.#newId(), type: "TextMessage" as const, source: USER, content: text };
    return this.durable(
      { type: "run/started", task: text, cause: "run" },
      { type: "message/added", message: { ...content, createdAt: this.#now() } },
    );
  }

  /** A message to a participant, up to the start of that participant's turn. */
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

  startMessage(source: string): string {
    const messageId = this.#newId();
    this.durable(
      { type: "speaker/selected", participants: [source] },
      { type: "reasoning/start", id: `turn-${messageId}`, from: source, input: "" },
      { type: "message/started", messageId, source },
    );
    return messageId;
  }

  /** Starts a streaming message in the current turn. Returns its id. */
  stream(source: string): string {
    const messageId = this.#newId();
    this.durable({ type: "message/started", messageId, source });
    return messageId;
  }

  chunk(messageId: string, delta: string): this {
    const source = this.#here.streaming.find((message) => message.messageId === messageId)?.source ?? "";
    return this.transient({ type: "message/chunk", messageId, source, delta });
  }

  endMessage(messageId: string, source: string, content: string, partial = false): this {
    const message = { id: messageId, type: "TextMessage" as const, source, content, createdAt: this.#now() };
    this.durable({ type: "message/added", message: { ...message, ...(partial ? { partial: true as const } : {}) } });
    return this.durable({ type: "reasoning/conclusion", from: source, correlation_id: [`turn-${messageId}`] });
  }

  say(source: string, content: string): this {
    return this.endMessage(this.startMessage(source), source, content);
  }

  /** A complete message of any type. */
  message(source: string, fields: Pick<ChatMessage, "type" | "content"> & Partial<ChatMessage>): this {
    return this.durable({
      type: "message/added",
      message: { id: this.#newId(), source, createdAt: this.#now(), ...fields },
    });
  }

  /** A queued message. */
  queueMessage(to: string, text: string, more: Partial<QueuedMessage> = {}): this {
    return this.durable({
      type: "userMessage/queued",
      id: this.#newId(),
      to,
      messages: [text],
      delivery: "queue",
      ...more,
    });
  }

  /** A running tool call. */
  running(participant: string, ref: string, name: string, input: unknown): this {
    return this.durable(
      { type: "tool/requested", participant, calls: [{ ref, name, input }] },
      { type: "tool/started", ref },
    );
  }

  /** A requested interrupt; `more` has its grace and scope. */
  requestInterrupt(more: Partial<Extract<DurableDraft, { type: "interrupt/requested" }>> = {}): this {
    const interruptId = `interrupt-${this.#seq}`;
    return this.durable({
      type: "interrupt/requested",
      interruptId,
      severity: "pause",
      grace: "now",
      by: USER,
      ...more,
    });
  }

  interrupt(messageId: string, source: string, kept: string, more: Partial<InterruptReceipt> = {}): this {
    const at = this.#now();
    const interruptId = `interrupt-${this.#seq}`;
    this.durable(
      { type: "interrupt/requested", interruptId, severity: "pause", grace: "now", by: USER },
      { type: "interrupt/acknowledged", interruptId },
    );
    this.endMessage(messageId, source, kept, true);
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
        ...more,
      },
    );
  }

  ended(stopReason: string | null): this {
    const usage = { prompt: 2400, completion: 610, total: 3010 };
    return this.durable({ type: "run/ended", stopReason, status: { code: "success" }, usage, resets: true });
  }

  /** Ends the run waiting for the user: for a decision on a call, a turn, or a budget. */
  paused(stopReason: string, reason?: string): this {
    const usage = { prompt: 4210, completion: 910, total: 5120, cost: 0.0312 };
    const status = { code: "interrupted" as const, ...(reason === undefined ? {} : { reason }) };
    return this.durable({ type: "run/ended", stopReason, status, usage });
  }

  /** The message that opens the team: with all events, or the last `count`. */
  opened(trusted = true, count = this.events.length): Extract<ToPage, { type: "team" }> {
    this.#taken = this.events.length;
    const events = count === 0 ? [] : this.events.filter((event) => "seq" in event).slice(-count);
    return { type: "team", snapshot: snapshotOf(this.state), events, trusted, user: this.user };
  }

  /** The `count` durable events before `before`. */
  before(before: number, count: number): TeamEvent[] {
    return this.events.filter((event) => "seq" in event && event.seq < before).slice(-count);
  }

  take(): TeamEvent[] {
    const events = this.events.slice(this.#taken);
    this.#taken = this.events.length;
    return events;
  }

  get #place(): Pick<TeamEvent, "at" | "path"> {
    return { at: this.#now(), ...(this.#path.length === 0 ? {} : { path: [...this.#path] }) };
  }

  /** The team at the current path. */
  get #here(): TeamState {
    return this.#path.reduce((team, name) => team.inner?.[name] ?? team, this.state);
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
