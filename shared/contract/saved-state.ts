import * as z from "zod";
import { ContextState } from "./context.ts";
import { TeamDefinition, TeamKind } from "./definition.ts";
import { ChatMessage, Usage } from "./message.ts";
import { Plan } from "./plan.ts";
import { OpenTurn, PendingTool, QueuedMessage, TeamStatus, ToolCall } from "./team.ts";

/** The version of {@link SavedState}. Every older version still loads. */
export const SAVED_STATE_VERSION = 2;

/** What was spent in a conversation: tokens and cost, finished turns, and the time of runs in seconds. */
const Spent = z.object({ usage: Usage, turns: z.number(), seconds: z.number() });
export type Spent = Readonly<z.infer<typeof Spent>>;

/** The conversation in order: messages, and each participant's tool calls with their results. */
export const TranscriptEntry = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("message"), message: ChatMessage }),
  z.object({
    kind: z.literal("calls"),
    participant: z.string(),
    calls: z.array(ToolCall),
    content: z.string().optional(),
  }),
  z.object({ kind: z.literal("result"), ref: z.string(), output: z.unknown(), isError: z.boolean() }),
]);
export type TranscriptEntry = z.infer<typeof TranscriptEntry>;

const savedFields = {
  schemaVersion: z.number().int(),
  team: z.object({ name: z.string(), kind: TeamKind, participants: z.array(z.string()) }),
  transcript: z.array(TranscriptEntry),
  pendingTools: z.array(PendingTool),
  queued: z.array(QueuedMessage),
  openTurns: z.array(OpenTurn),
  /** Who last finished a turn in the order of speakers, directed answers excluded. */
  lastSpeaker: z.string().nullable(),
  turn: z.number().int(),
  usage: Usage,
  interrupted: z.boolean(),
  lastStop: z.string().nullable().optional(),
  /** How many messages at the transcript's end the conditions count: those since they were reset. */
  conditionMessages: z.number().int(),
  /** From here on since version 2. How many turns each participant has finished since the flow started. */
  turns: z.record(z.string(), z.number().int()).optional(),
  /** What the team was doing; left out, it follows from the other fields. */
  status: TeamStatus.extract(["idle", "paused", "awaitingTools"]).optional(),
  /** The usage of each participant. */
  usages: z.record(z.string(), Usage).optional(),
  /**
   * What the conditions have counted since they were reset, beside the usage of the messages that they count; `granted` is
   * what budgets no longer count of all that, as the user has continued since.
   */
  spent: Spent.extend({ granted: Spent.optional() }).optional(),
  /** The target of the last handoff, and who handed over. */
  handoffTo: z.string().optional(),
  handoffFrom: z.string().optional(),
  /** The manager's note: what it remembers between selections. */
  note: z.unknown().optional(),
  /** The thread's length when the manager ended the conversation; left out once it has begun again. */
  finishedAt: z.number().int().optional(),
  /** How many answers a model has given that are not in the thread, by who asked (`model/asked`). */
  asked: z.record(z.string(), z.number().int()).optional(),
  /** Each participant's own notes. */
  memories: z.record(z.string(), z.array(z.string())).optional(),
  plans: z.record(z.string(), Plan).optional(),
  /** What became of the contexts of participants that were summarized. */
  contexts: z.record(z.string(), ContextState).optional(),
  /** The answer to a directed message, if it was cut short. */
  unanswered: z.object({ participant: z.string(), directed: z.enum(["continue", "pause"]) }).optional(),
  /** Directed messages that are delivered but not answered. */
  due: z.array(z.object({ id: z.string(), to: z.string() })).optional(),
  /** Participants that have left, whose messages are in the transcript. */
  former: z.array(z.string()).optional(),
  /** The definition, once participants have been changed. Of the outermost team. */
  definition: TeamDefinition.optional(),
  /** The user participant whose turn it is. */
  awaitingUser: z.object({ participant: z.string(), path: z.array(z.string()).min(1).optional() }).optional(),
};

/** A team's whole state as plain JSON: the result of `team/saveState` and the input of `team/loadState`. */
export type SavedState = z.infer<z.ZodObject<typeof savedFields>> & {
  /** The nested teams, by participant. */
  inner?: Record<string, SavedState> | undefined;
};
export const SavedState: z.ZodType<SavedState> = z.lazy(() =>
  z.object({ ...savedFields, inner: z.record(z.string(), SavedState).optional() }),
) as z.ZodType<SavedState>;
