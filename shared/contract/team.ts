import * as z from "zod";
import { BackgroundCommand } from "./background-command.ts";
import { ContextState } from "./context.ts";
import { ParticipantKind, TeamDefinition, TeamKind } from "./definition.ts";
import { ChatMessage, ContentPart, Usage } from "./message.ts";
import { ChosenModel, ModelFacts, ModelInfo } from "./model-choice.ts";
import { Approvers, NewcomerRole, Person } from "./people.ts";
import { Plan } from "./plan.ts";
import { Grace, Severity } from "./severity.ts";
import { Kept, Stopped, WaitingTool } from "./stopped.ts";

export const TeamStatus = z.enum(["idle", "running", "interrupting", "paused", "awaitingTools"]);
export type TeamStatus = z.infer<typeof TeamStatus>;

/**
 * How a run ended. The codes follow the Timbal external interrupt design (DECISIONS.md), plus `cancelled` for a hard stop.
 */
export const RunStatus = z.object({
  code: z.enum(["success", "interrupted", "cancelled", "error"]),
  reason: z.string().optional(),
  message: z.string().optional(),
});
export type RunStatus = z.infer<typeof RunStatus>;

/** The result of a run: its messages in order, why it stopped, and its usage. */
export const TaskResult = z.object({
  runId: z.string(),
  messages: z.array(ChatMessage),
  /** How many of the first messages are left out, because all are too long for one answer. */
  omitted: z.number().int().positive().optional(),
  stopReason: z.string().nullable(),
  status: RunStatus,
  usage: Usage,
  /** Set for a directed message that was not delivered when the run ended: its id among the waiting messages. */
  waiting: z.string().optional(),
});
export type TaskResult = z.infer<typeof TaskResult>;

/**
 * One call that a model requested. `ref` is unique in a root team's whole tree, for ever; `id` is the model's own id of the
 * call, which may come twice, if it gave one that can be sent back to it. `signedThoughts` is what the model's provider
 * wants back with the call's result, as it wrote it.
 */
export const ToolCall = z.object({
  ref: z.string(),
  id: z.string().optional(),
  name: z.string(),
  input: z.unknown(),
  signedThoughts: z.string().optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/**
 * A call that waits for the user's decision. `interrupt` is what its tool asks (true if it gave nothing); `approval` means
 * that it runs only after approval.
 */
export const PendingTool = z.object({
  ref: z.string(),
  name: z.string(),
  participant: z.string(),
  input: z.unknown(),
  interrupt: z.unknown().optional(),
  approval: z.literal(true).optional(),
  /** For `approval`: why the call is asked about, when it is more than its tool's declaration. A sentence. */
  reason: z.string().optional(),
  /** The call has run, and its result, which `interrupt` has, waits for the user's review: it is never run again. */
  review: z.literal(true).optional(),
  /** The files and folders that the call uses, as its tool found them when the user was asked: absolute, links resolved. */
  places: z.array(z.string()).optional(),
  /** Set for a nested team: the participants that lead to it. */
  path: z.array(z.string()).min(1).optional(),
  /** How many users have to approve it, if that is more than one. */
  required: z.number().int().optional(),
  /** Who has approved it so far, while more are required. */
  approvals: z.array(z.object({ by: z.string(), at: z.string() })).optional(),
  /** What they have approved: to run it with that input, or that output in its place. */
  underApproval: z.object({ how: z.enum(["restart", "respond"]), value: z.unknown() }).optional(),
});
export type PendingTool = z.infer<typeof PendingTool>;

/** A call that was decided on: by which user, and how. */
export const DecidedCall = z.object({ ref: z.string(), by: z.string(), how: z.enum(["respond", "restart", "deny"]) });
export type DecidedCall = z.infer<typeof DecidedCall>;

/**
 * A message that waits to be delivered: after the run (`queue`), or at the target's next turn (`steer`). Without `to` it is
 * for the whole team.
 */
export const QueuedMessage = z.object({
  id: z.string(),
  to: z.string().optional(),
  messages: z.array(z.string()),
  delivery: z.enum(["queue", "steer"]),
  /** The sender; the user if left out. */
  by: z.string().optional(),
  /** Whether others speak after the answer; `continue` if left out. */
  // biome-ignore lint/suspicious/noThenProperty: the protocol fixes the name of the field
  then: z.enum(["continue", "pause"]).optional(),
  /** Who is shown it: everyone, or the target alone. */
  visibility: z.enum(["all", "target"]).optional(),
  timeoutMs: z.number().int().positive().optional(),
  /** What the user attached: it follows the text of the last message. */
  context: z.array(ContentPart).optional(),
});
export type QueuedMessage = z.infer<typeof QueuedMessage>;

/** What a participant is doing now. */
export const ParticipantActivity = z.enum(["idle", "thinking", "speaking", "usingTools", "awaitingTools"]);
export type ParticipantActivity = z.infer<typeof ParticipantActivity>;

export const ParticipantInfo = z.object({
  name: z.string(),
  kind: ParticipantKind,
  description: z.string().optional(),
  /** The worker that runs it, if that is not the agent host. */
  worker: z.string().optional(),
  model: z.string().optional(),
  /** The model that the definition gives it; left out if that is the host's setting. */
  definedModel: ModelInfo.optional(),
  /** The model that the user chose for it. */
  chosenModel: ChosenModel.optional(),
  /** For a user participant: who can be handed over to. */
  handoffs: z.array(z.object({ target: z.string(), description: z.string().optional() })).optional(),
  activity: ParticipantActivity,
  /** Its model's request waits for the rate limit of that endpoint: until then, if that is known. */
  waitsFor: z.object({ endpoint: z.string(), until: z.string().optional() }).optional(),
  /** Its model writes a summary of its context. */
  summarizing: z.literal(true).optional(),
  /** The first line of its last message, shortened. */
  lastLine: z.string().optional(),
  /** Turns that it has finished since the flow started, without answers to directed messages. */
  turns: z.number().int().optional(),
  /** Its usage so far; for a nested team, that of everyone in it. */
  usage: Usage.optional(),
});
export type ParticipantInfo = z.infer<typeof ParticipantInfo>;

/** A message that is being streamed: its text so far. */
export const StreamingMessage = z.object({
  messageId: z.string(),
  source: z.string(),
  text: z.string(),
  model: ModelInfo.optional(),
});
export type StreamingMessage = z.infer<typeof StreamingMessage>;

/** A turn that has started and not ended, because of an interrupt or a pending tool call. */
export const OpenTurn = z.object({
  id: z.string(),
  participant: z.string(),
  /** Set for the answer to a directed message: whether others speak after it. */
  directed: z.enum(["continue", "pause"]).optional(),
  /** Set when it waits for the user: the user participant whose turn it is. */
  awaits: z.object({ participant: z.string(), path: z.array(z.string()).min(1).optional() }).optional(),
  /** Set once its message is in the thread: only the turn's conclusion is missing. */
  said: z.literal(true).optional(),
});
export type OpenTurn = z.infer<typeof OpenTurn>;

/** A call that was requested and has no result yet. `started` means that its tool may have had effects. */
export const OpenCall = ToolCall.extend({
  participant: z.string(),
  started: z.boolean(),
  /** Its tool did not stop after an interrupt; a late result is still used. */
  abandoned: z.literal(true).optional(),
  /** The user approved it: why it was pending, in case it becomes pending again. */
  asked: PendingTool.pick({ interrupt: true, approval: true, reason: true }).optional(),
});
export type OpenCall = z.infer<typeof OpenCall>;

/** The run in progress, for a client that attaches to it: with this its counts are those of a client that saw all of it. */
export const RunInProgress = z.object({
  runId: z.string(),
  usage: Usage,
  /** The thread's length when it started. */
  threadStart: z.number().int(),
  /** The speakers selected last; `directed` if a directed message selected them, and what follows their answer. */
  selected: z.object({ participants: z.array(z.string()), directed: z.enum(["continue", "pause"]).optional() }),
  calls: z.array(OpenCall),
});
export type RunInProgress = z.infer<typeof RunInProgress>;

const snapshotFields = {
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
  /** The plans of participants that have one. */
  plans: z.record(z.string(), Plan).optional(),
  /** What became of the contexts of participants that were summarized. */
  contexts: z.record(z.string(), ContextState).optional(),
  /** The commands that run in the background, and the last that ended. Of the outermost team. */
  commands: z.array(BackgroundCommand).optional(),
  lastSeq: z.number().int(),
  streaming: z.array(StreamingMessage),
  description: z.string().optional(),
  uri: z.string().optional(),
  title: z.string().optional(),
  /** The models that the user can choose by their keys. */
  models: z.record(z.string(), ModelFacts).optional(),
  /** The model that the user chose for the whole team: of all but those with a choice of their own. */
  chosenModel: ChosenModel.optional(),
  /** Participants that have left, whose messages are in the thread: by their names, none of which is the user. */
  former: z.array(z.string()).optional(),
  /** The definition, once participants have been changed: it is no longer that of the team file. Of the outermost team. */
  definition: TeamDefinition.optional(),
  /** The user participant whose turn it is: the next task is its message. `path` as for a pending call. */
  awaitingUser: z.object({ participant: z.string(), path: z.array(z.string()).min(1).optional() }).optional(),
  /** The run ends with the current turn: with that of a call that waits, once the user has decided. */
  stopRequested: z.literal(true).optional(),
  /** The turns that have started and not ended, if there are any. */
  openTurns: z.array(OpenTurn).readonly().optional(),
  /** The id of the user who has the chair: who acted first, until it is handed over. Of the outermost team. */
  chair: z.string().optional(),
  /** The users of the team, once there are several. */
  people: z.array(Person).optional(),
  /** What newcomers are, if they are not members. */
  newcomers: NewcomerRole.optional(),
  /** How many users have to approve calls, and who, as the chair has said. The file of the team may require more. */
  approvers: Approvers.optional(),
  /** The last decisions on calls of this team itself, for who decides on one of them again. */
  decided: z.array(DecidedCall).optional(),
  /** The run in progress, if there is one. */
  inProgress: RunInProgress.optional(),
};

/**
 * A team as a client sees it. `lastSeq` is the last event that it includes; `inner` holds its nested teams by participant.
 */
export type TeamSnapshot = z.infer<z.ZodObject<typeof snapshotFields>> & {
  inner?: Record<string, TeamSnapshot> | undefined;
};
export const TeamSnapshot: z.ZodType<TeamSnapshot> = z.lazy(() =>
  z.object(TeamSnapshotShape),
) as z.ZodType<TeamSnapshot>;

/** The fields of a {@link TeamSnapshot}. */
export const TeamSnapshotShape = {
  ...snapshotFields,
  inner: z.record(z.string(), TeamSnapshot).optional(),
};

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
  title: z.string().optional(),
  usage: Usage.optional(),
});
export type TeamSummary = z.infer<typeof TeamSummary>;

export { Grace, Severity } from "./severity.ts";

export const InterruptScope = z.union([
  /** `path` as for a pending call; without it, the first participant of that name that has a turn. */
  z.strictObject({ participant: z.string(), path: z.array(z.string()).min(1).optional() }),
  z.strictObject({ ref: z.string() }),
]);
export type InterruptScope = z.infer<typeof InterruptScope>;

/** What an interrupt did, from the request until everything in its scope had stopped. */
export const InterruptReceipt = z.object({
  interruptId: z.string(),
  wasRunning: z.boolean(),
  severity: Severity,
  requestedAt: z.string(),
  acknowledgedAt: z.string(),
  quiescedAt: z.string(),
  stopReason: z.string().nullable(),
  partials: z.array(ChatMessage),
  /** Tools that did not stop in time; {@link Stopped} says which may have had effects. */
  abandonedTools: z.array(
    z.object({
      ref: z.string(),
      name: z.string(),
      participant: z.string(),
      path: z.array(z.string()).min(1).optional(),
      mayHaveHadEffects: z.boolean().optional(),
    }),
  ),
  status: TeamStatus,
  /** What it was to stop; the whole team if left out. */
  scope: InterruptScope.optional(),
  grace: Grace.optional(),
  stopped: Stopped.optional(),
  /** The calls that waited for the user's decision, and that the interrupt cancelled. */
  cancelledTools: z.array(WaitingTool).optional(),
  kept: Kept.optional(),
});
export type InterruptReceipt = z.infer<typeof InterruptReceipt>;

/** What starts a run: text, or parts of text and images. */
export const Task = z.union([z.string().min(1), z.array(ContentPart).min(1)]);
export type Task = z.infer<typeof Task>;
