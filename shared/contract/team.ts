import * as z from "zod";
import { TeamKind } from "./definition.ts";
import { ChatMessage, ContentPart, Usage } from "./message.ts";

export const TeamStatus = z.enum(["idle", "running", "interrupting", "paused", "awaitingTools"]);
export type TeamStatus = z.infer<typeof TeamStatus>;

/** How a run ended. The codes are those of Timbal's collectors (seed 003), with `cancelled` for the hard stop. */
export const RunStatus = z.object({
  code: z.enum(["success", "interrupted", "cancelled", "error"]),
  reason: z.string().optional(),
  message: z.string().optional(),
});
export type RunStatus = z.infer<typeof RunStatus>;

/** What a run came to: its messages in order, why it stopped, and the tokens it cost. */
export const TaskResult = z.object({
  runId: z.string(),
  messages: z.array(ChatMessage),
  stopReason: z.string().nullable(),
  status: RunStatus,
  usage: Usage,
});
export type TaskResult = z.infer<typeof TaskResult>;

/** One call that a model asked for. `ref` names it for as long as the team lives. */
export const ToolCall = z.object({ ref: z.string(), name: z.string(), input: z.unknown() });
export type ToolCall = z.infer<typeof ToolCall>;

/** A call that waits for the user: `interrupt` is what its tool asked (true when it gave nothing), `approval` that it may not run before a yes. */
export const PendingTool = z.object({
  ref: z.string(),
  name: z.string(),
  participant: z.string(),
  input: z.unknown(),
  interrupt: z.unknown().optional(),
  approval: z.literal(true).optional(),
});
export type PendingTool = z.infer<typeof PendingTool>;

/** A message that waits for its time: after the run (`queue`), or at the target's next turn (`steer`). */
export const QueuedMessage = z.object({
  id: z.string(),
  to: z.string(),
  messages: z.array(z.string()),
  delivery: z.enum(["queue", "steer"]),
});
export type QueuedMessage = z.infer<typeof QueuedMessage>;

/** What a participant is doing now. */
export const ParticipantActivity = z.enum(["idle", "thinking", "speaking", "usingTools", "awaitingTools"]);
export type ParticipantActivity = z.infer<typeof ParticipantActivity>;

export const ParticipantInfo = z.object({
  name: z.string(),
  kind: z.enum(["assistant", "user", "team"]),
  description: z.string().optional(),
  model: z.string().optional(),
  activity: ParticipantActivity,
  /** The first line of its last message, shortened. */
  lastLine: z.string().optional(),
});
export type ParticipantInfo = z.infer<typeof ParticipantInfo>;

/** A message that is being produced: its text so far. */
export const StreamingMessage = z.object({ messageId: z.string(), source: z.string(), text: z.string() });
export type StreamingMessage = z.infer<typeof StreamingMessage>;

/** A team at one instant, as a client sees it; `lastSeq` is the last event it includes. */
export const TeamSnapshot = z.object({
  teamId: z.string(),
  name: z.string(),
  kind: TeamKind,
  status: TeamStatus,
  interrupted: z.boolean(),
  participants: z.array(ParticipantInfo),
  thread: z.array(ChatMessage),
  threadLength: z.number().int(),
  pendingTools: z.array(PendingTool),
  queued: z.array(QueuedMessage),
  turn: z.number().int(),
  usage: Usage,
  lastStop: z.string().nullable().optional(),
  lastSeq: z.number().int(),
  streaming: z.array(StreamingMessage),
  description: z.string().optional(),
  uri: z.string().optional(),
});
export type TeamSnapshot = z.infer<typeof TeamSnapshot>;

/** One stored team in a list. */
export const TeamSummary = z.object({
  teamId: z.string(),
  name: z.string(),
  kind: TeamKind,
  status: TeamStatus,
  threadLength: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  uri: z.string().optional(),
  lastLine: z.string().optional(),
});
export type TeamSummary = z.infer<typeof TeamSummary>;

export const Severity = z.enum(["pause", "stop", "reset"]);
export type Severity = z.infer<typeof Severity>;

export const Grace = z.enum(["now", "thought", "turn"]);
export type Grace = z.infer<typeof Grace>;

export const InterruptScope = z.union([
  z.strictObject({ participant: z.string() }),
  z.strictObject({ ref: z.string() }),
]);
export type InterruptScope = z.infer<typeof InterruptScope>;

/** What an interrupt did, from the request to the moment when nothing moved any more. */
export const InterruptReceipt = z.object({
  interruptId: z.string(),
  wasRunning: z.boolean(),
  severity: Severity,
  requestedAt: z.string(),
  acknowledgedAt: z.string(),
  quiescedAt: z.string(),
  stopReason: z.string().nullable(),
  partials: z.array(ChatMessage),
  abandonedTools: z.array(z.object({ ref: z.string(), name: z.string(), participant: z.string() })),
  status: TeamStatus,
});
export type InterruptReceipt = z.infer<typeof InterruptReceipt>;

/** What starts a run: text, or parts of text and images. */
export const Task = z.union([z.string().min(1), z.array(ContentPart).min(1)]);
export type Task = z.infer<typeof Task>;
