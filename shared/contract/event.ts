import * as z from "zod";
import { Approved } from "./approval.ts";
import { ChatMessage, Usage } from "./message.ts";
import { ReasoningAck, ReasoningRequest } from "./reasoning.ts";
import { SavedState } from "./saved-state.ts";
import {
  Grace,
  InterruptReceipt,
  InterruptScope,
  PendingTool,
  QueuedMessage,
  RunStatus,
  Severity,
  Task,
  ToolCall,
} from "./team.ts";

/**
 * `path` is there for what happened in a nested team: the participants that one goes through to it, from the team down. All
 * of a team's events, and those of the teams within it, are in one order.
 */
const place = { at: z.string(), runId: z.string().optional(), path: z.array(z.string()).min(1).optional() };

const event = <T extends string, F extends z.ZodRawShape>(type: T, fields: F) =>
  z.object({ seq: z.number().int(), ...place, type: z.literal(type), ...fields });

/** Told at once and never kept as an event of its own, so without a `seq`. A chunk's text is kept: after a crash it is the partial. */
const transient = <T extends string, F extends z.ZodRawShape>(type: T, fields: F) =>
  z.object({ ...place, type: z.literal(type), ...fields });

const userMessage = { id: z.string(), to: z.string() };

/** Everything that happens to a team and is kept. A team is the fold of these (see `reducer.ts`). */
export const DurableEvent = z.discriminatedUnion("type", [
  /** `cause` says what set the run going: `team/run`, a directed message, or the answers to pending tool calls. */
  event("run/started", { task: Task.optional(), cause: z.enum(["run", "userMessage", "tools"]) }),
  /** `resets` marks a normal end: conditions and the turn count begin anew (seed 001, "Termination Comparison"). */
  event("run/ended", {
    stopReason: z.string().nullable(),
    status: RunStatus,
    usage: Usage,
    resets: z.literal(true).optional(),
  }),
  /**
   * `directed` marks the answer to a user's message to one participant, which leaves the order of speakers as it was; it says
   * whether others speak after it. `note` is what the manager keeps in mind, in the place of its last note.
   */
  event("speaker/selected", {
    participants: z.array(z.string()),
    directed: z.enum(["continue", "pause"]).optional(),
    note: z.unknown().optional(),
  }),
  /** What the manager keeps in mind, in the place of its last note. */
  event("manager/noted", { note: z.unknown() }),
  /** A model step that made no message and no call, such as the selector's, and what it cost. */
  event("model/asked", { by: z.string(), purpose: z.string(), usage: Usage.optional() }),
  event("message/started", { messageId: z.string(), source: z.string() }),
  event("message/added", { message: ChatMessage }),
  /** A partial message, written anew or taken out by the user. `fromEnd` is its place in the thread, 1 for the last message. */
  event("message/edited", { messageId: z.string(), content: z.string(), by: z.string() }),
  event("message/dropped", { messageId: z.string(), fromEnd: z.number().int().min(1), by: z.string() }),
  /** `content` is what the model said beside its calls. */
  event("tool/requested", {
    participant: z.string(),
    calls: z.array(ToolCall),
    content: z.string().optional(),
    usage: Usage.optional(),
  }),
  /**
   * Written before the tool runs, so that a crash can not hide that it may have had effects. `approved` says which rule let it run
   * without asking; left out for a tool that never asks and for a call that the user told to run.
   */
  event("tool/started", { ref: z.string(), approved: Approved.optional() }),
  /** The one result of a call. `interrupted` marks a result that stands for a call that was cut short. */
  event("tool/executed", {
    ref: z.string(),
    name: z.string(),
    participant: z.string(),
    output: z.unknown(),
    isError: z.boolean(),
    interrupted: z.literal(true).optional(),
  }),
  /** A tool that did not stop in time after an interrupt: its late result is taken when it comes. */
  event("tool/abandoned", { ref: z.string(), name: z.string(), participant: z.string() }),
  event("tool/interrupted", PendingTool.shape),
  event("tool/resolved", {
    ref: z.string(),
    how: z.enum(["respond", "restart", "deny"]),
    by: z.string(),
    input: z.unknown().optional(),
    reason: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  /** It is a user participant's turn, here or in a nested team (`through`, as `path`): the run ends until the user speaks. */
  event("userInput/requested", { participant: z.string(), through: z.array(z.string()).min(1).optional() }),
  event("handoff", { from: z.string(), to: z.string() }),
  /** A note that a participant keeps (`memory.keep`). */
  event("memory/added", { participant: z.string(), text: z.string() }),
  event("userMessage/queued", QueuedMessage.shape),
  /** While it waits, a message can be written anew, moved, and taken back. `ids` is the whole new order. */
  event("userMessage/edited", { ...userMessage, messages: z.array(z.string()) }),
  event("userMessage/reordered", { ids: z.array(z.string()) }),
  event("userMessage/withdrawn", userMessage),
  event("userMessage/delivered", userMessage),
  event("userMessage/answered", userMessage),
  event("interrupt/requested", {
    interruptId: z.string(),
    severity: Severity,
    grace: Grace,
    scope: InterruptScope.optional(),
    reason: z.string().optional(),
    message: z.string().optional(),
    by: z.string(),
  }),
  event("interrupt/acknowledged", { interruptId: z.string() }),
  event("interrupt/completed", InterruptReceipt.shape),
  event("reasoning/start", { id: z.string(), from: z.string(), input: z.string() }),
  event("reasoning/thought", { from: z.string(), correlation_id: z.array(z.string()), message: z.string().optional() }),
  event("reasoning/conclusion", {
    from: z.string(),
    correlation_id: z.array(z.string()),
    interrupted: z.literal(true).optional(),
    message: z.string().optional(),
  }),
  /** Somebody asks participants to interrupt their reasoning, and each answers what becomes of it (seed 004). */
  event("reasoning/interrupt", { id: z.string(), ...ReasoningRequest.shape }),
  event("reasoning/interrupt-ack", ReasoningAck.shape),
  /** A failed model request is tried again after `waitMs` milliseconds. */
  event("model/retry", {
    participant: z.string(),
    attempt: z.number().int(),
    waitMs: z.number(),
    reason: z.string(),
    status: z.number().int().optional(),
  }),
  event("team/reset", {}),
  event("state/loaded", { state: SavedState }),
  event("error", { message: z.string(), data: z.record(z.string(), z.unknown()) }),
]);
export type DurableEvent = z.infer<typeof DurableEvent>;

export const TransientEvent = z.discriminatedUnion("type", [
  transient("message/chunk", { messageId: z.string(), source: z.string(), delta: z.string() }),
  /** What a running tool has printed. */
  transient("tool/output", { ref: z.string(), delta: z.string() }),
]);
export type TransientEvent = z.infer<typeof TransientEvent>;

export const TeamEvent = z.union([DurableEvent, TransientEvent]);
export type TeamEvent = z.infer<typeof TeamEvent>;

type Draft<E> = E extends unknown ? Omit<E, "seq" | "at" | "runId" | "path"> : never;

/** An event before the team has given it its place and time. */
export type DurableDraft = Draft<DurableEvent>;
export type TransientDraft = Draft<TransientEvent>;
export type EventDraft = DurableDraft | TransientDraft;

/** True for an event that has a `seq` and is kept. */
export function isDurable(event: TeamEvent): event is DurableEvent {
  return "seq" in event;
}
