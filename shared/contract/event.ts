import * as z from "zod";
import { Approved } from "./approval.ts";
import { CommandEnd, startedCommand } from "./background-command.ts";
import { CommandExit } from "./command-exit.ts";
import { ContextSummary } from "./context.ts";
import { ChatMessage, Usage } from "./message.ts";
import { ChosenModel, ModelInfo } from "./model-choice.ts";
import { participantsChangedFields } from "./participant-change.ts";
import { Approvers, roleChange } from "./people.ts";
import { PlanItem } from "./plan.ts";
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
 * `path` is set for an event of a nested team: the participants that lead to it, from the root team down. The events of a
 * team and of its nested teams share one order.
 */
const place = { at: z.string(), runId: z.string().optional(), path: z.array(z.string()).min(1).optional() };

const event = <T extends string, F extends z.ZodRawShape>(type: T, fields: F) =>
  z.object({ seq: z.number().int(), ...place, type: z.literal(type), ...fields });

/**
 * An event that is sent but not stored, so without a `seq`. A chunk's text is stored: after a crash it becomes the partial.
 */
const transient = <T extends string, F extends z.ZodRawShape>(type: T, fields: F) =>
  z.object({ ...place, type: z.literal(type), ...fields });

/** The user whose act it is, by id. Events that were stored before users were told apart do not have it. */
const actor = { by: z.string().optional() };

/** Without `to` the message is for the whole team. */
const userMessage = { id: z.string(), to: z.string().optional() };

/** Everything that happens to a team and is stored. A team's state is folded from these (see `reducer.ts`). */
export const DurableEvent = z.discriminatedUnion("type", [
  /**
   * `cause` says what started the run: `team/run`, a directed message, or the answers to pending tool calls. `by` is the
   * user who did that; left out for the run of a nested team.
   */
  event("run/started", { task: Task.optional(), cause: z.enum(["run", "userMessage", "tools"]), ...actor }),
  /**
   * `resets` marks a normal end, which resets the conditions and the turn count (as in AutoGen). `flow` says what then
   * becomes of the manager's selection: `open`, the next run goes on where it stood; `finished`, a new task starts it over.
   * Left out, nothing of it is kept.
   */
  event("run/ended", {
    stopReason: z.string().nullable(),
    status: RunStatus,
    usage: Usage,
    resets: z.literal(true).optional(),
    flow: z.enum(["open", "finished"]).optional(),
  }),
  /**
   * `directed` marks the answer to a directed message, which does not change the order of speakers; its value says whether
   * others speak after it. `note` replaces the manager's last note.
   */
  event("speaker/selected", {
    participants: z.array(z.string()),
    directed: z.enum(["continue", "pause"]).optional(),
    note: z.unknown().optional(),
  }),
  /** Replaces the manager's last note: what it remembers between selections. */
  event("manager/noted", { note: z.unknown() }),
  /** A model step that produced no message and no call, such as the selector's, and its usage. */
  event("model/asked", { by: z.string(), purpose: z.string(), usage: Usage.optional() }),
  event("message/started", { messageId: z.string(), source: z.string(), model: ModelInfo.optional() }),
  event("message/added", { message: ChatMessage }),
  /** The user rewrote or removed a partial message. `fromEnd` is its position in the thread, 1 for the last message. */
  event("message/edited", { messageId: z.string(), content: z.string(), by: z.string() }),
  event("message/dropped", { messageId: z.string(), fromEnd: z.number().int().min(1), by: z.string() }),
  /** `content` is the text that came with the calls. */
  event("tool/requested", {
    participant: z.string(),
    calls: z.array(ToolCall),
    content: z.string().optional(),
    usage: Usage.optional(),
  }),
  /**
   * Stored before the tool runs, so that it is known after a crash that the tool may have had effects. `approved` says which
   * rule let it run without asking; left out for a tool that never asks and for a call that the user approved.
   */
  event("tool/started", { ref: z.string(), approved: Approved.optional() }),
  /** The one result of a call. `interrupted` marks the result of a call that was cut short; `exit` is a command's end. */
  event("tool/executed", {
    ref: z.string(),
    name: z.string(),
    participant: z.string(),
    output: z.unknown(),
    isError: z.boolean(),
    interrupted: z.literal(true).optional(),
    exit: CommandExit.optional(),
    /** What the user did with a result that waited for review. */
    reviewed: z.enum(["sent", "edited", "withheld"]).optional(),
    /** What the tool gave, where an interrupt came before the user could review it. No model is shown it. */
    unreviewed: z.unknown().optional(),
  }),
  /** A tool that did not stop in time after an interrupt. Its late result is used when it comes. */
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
  /**
   * One of the approvals that a call needs (`required`): to run it with the input `value`, or to use the output `value` in
   * its place. If that is not what others have approved, the count starts again.
   */
  event("tool/approved", {
    ref: z.string(),
    by: z.string(),
    how: z.enum(["restart", "respond"]),
    value: z.unknown(),
    required: z.number().int(),
  }),
  /**
   * It is a user participant's turn, here or in a nested team (`through`, like `path`): the run ends until the user answers.
   */
  event("userInput/requested", { participant: z.string(), through: z.array(z.string()).min(1).optional() }),
  event("handoff", { from: z.string(), to: z.string() }),
  /** A note that a participant stored (`memory.keep`). */
  event("memory/added", { participant: z.string(), text: z.string() }),
  /** A participant wrote its plan, or the user (`by`) edited it. It replaces the one before; without items there is none. */
  event("plan/updated", { participant: z.string(), items: z.array(PlanItem), by: z.string().optional() }),
  /** A participant's model is asked for a summary of its context. */
  event("context/summarizing", { participant: z.string() }),
  /**
   * From here on a participant's model is shown a summary, which it wrote, in place of the conversation up to `through`.
   * `tokens`: of its context before and after, estimated.
   */
  event("context/summarized", {
    participant: z.string(),
    summary: ContextSummary,
    tokens: z.object({ before: z.number().int(), after: z.number().int() }),
  }),
  /** The user undid the summary: the participant's model is shown the messages again. */
  event("context/restored", { participant: z.string(), by: z.string() }),
  /** The user wants the participant's context to be summarized before its model is asked next. */
  event("context/summaryRequested", { participant: z.string(), by: z.string() }),
  /** A call of `runCommand` goes on in the background. Stored before the command starts; of the outermost team. */
  event("command/started", startedCommand),
  event("command/ended", { id: z.string(), command: z.string(), end: CommandEnd }),
  event("userMessage/queued", QueuedMessage.shape),
  /** A waiting message was rewritten, moved or withdrawn. `ids` is the whole new order. */
  event("userMessage/edited", { ...userMessage, messages: z.array(z.string()), ...actor }),
  event("userMessage/reordered", { ids: z.array(z.string()), ...actor }),
  event("userMessage/withdrawn", { ...userMessage, ...actor }),
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
    rule: z.literal(true).optional(),
  }),
  /** The run is to end with the current turn (`team/stop`), or no longer. */
  event("stop/requested", { by: z.string() }),
  event("stop/withdrawn", { by: z.string() }),
  event("interrupt/acknowledged", { interruptId: z.string() }),
  event("interrupt/completed", InterruptReceipt.shape),
  event("reasoning/start", { id: z.string(), from: z.string(), input: z.string() }),
  event("reasoning/thought", { from: z.string(), correlation_id: z.array(z.string()), message: z.string().optional() }),
  /** `complete` marks an interrupted turn whose message is complete: its participant is not asked again. */
  event("reasoning/conclusion", {
    from: z.string(),
    correlation_id: z.array(z.string()),
    interrupted: z.literal(true).optional(),
    complete: z.literal(true).optional(),
    message: z.string().optional(),
  }),
  /** A request to participants to interrupt their reasoning, and each one's answer. */
  event("reasoning/interrupt", { id: z.string(), ...ReasoningRequest.shape, ...actor }),
  event("reasoning/interrupt-ack", ReasoningAck.shape),
  /** A failed model request is retried after `waitMs` milliseconds. */
  event("model/retry", {
    participant: z.string(),
    attempt: z.number().int(),
    waitMs: z.number(),
    reason: z.string(),
    status: z.number().int().optional(),
  }),
  /** A model request is not sent yet, as its endpoint takes no more at the moment: until then, if that is known. */
  event("model/waiting", { participant: z.string(), endpoint: z.string(), until: z.string().optional() }),
  /** It is sent now. */
  event("model/waited", { participant: z.string(), endpoint: z.string() }),
  /** A model could not answer, and another one is asked instead. */
  event("model/fallback", { participant: z.string(), from: ModelInfo, to: ModelInfo, reason: z.string() }),
  /** The user gave the team a title, or removed it: `null`. */
  event("team/renamed", { title: z.string().nullable(), by: z.string() }),
  /**
   * The user chose a model, from the next turn on: that of the participant, or of the whole team. `null` goes back to what
   * the definition says.
   */
  event("model/chosen", { participant: z.string().optional(), model: ChosenModel.nullable(), by: z.string() }),
  /** The user added, removed or replaced participants. */
  event("participants/changed", { ...participantsChangedFields, by: z.string() }),
  /**
   * The role of a user; without `user`, the one that newcomers get. Who gets the chair has it instead of who had it, who is
   * a member then. `taken`: while no client of the chair's user was connected. The first such events note who the users
   * are, once there are two.
   */
  event("role/changed", { ...roleChange, by: z.string(), taken: z.literal(true).optional() }),
  /** The chair says how many users have to approve calls, and who. */
  event("approvers/changed", { ...Approvers.shape, by: z.string() }),
  event("team/reset", actor),
  event("state/loaded", { state: SavedState, ...actor }),
  /** `participant` is the one whose turn failed. */
  event("error", {
    message: z.string(),
    participant: z.string().optional(),
    data: z.record(z.string(), z.unknown()),
  }),
]);
export type DurableEvent = z.infer<typeof DurableEvent>;

export const TransientEvent = z.discriminatedUnion("type", [
  transient("message/chunk", { messageId: z.string(), source: z.string(), delta: z.string() }),
  /** A piece of what a model thinks, of the sequences with these ids; the `reasoning/thought` that follows has the whole. */
  transient("reasoning/chunk", { from: z.string(), correlation_id: z.array(z.string()), delta: z.string() }),
  /** Output of a running tool. */
  transient("tool/output", { ref: z.string(), delta: z.string() }),
]);
export type TransientEvent = z.infer<typeof TransientEvent>;

export const TeamEvent = z.union([DurableEvent, TransientEvent]);
export type TeamEvent = z.infer<typeof TeamEvent>;

type Draft<E> = E extends unknown ? Omit<E, "seq" | "at" | "runId" | "path"> : never;

/** An event before the team assigns its number and time. */
export type DurableDraft = Draft<DurableEvent>;
export type TransientDraft = Draft<TransientEvent>;
export type EventDraft = DurableDraft | TransientDraft;

/** True for an event that has a `seq` and is stored. */
export function isDurable(event: TeamEvent): event is DurableEvent {
  return "seq" in event;
}
