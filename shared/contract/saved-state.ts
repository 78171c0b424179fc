import * as z from "zod";
import { TeamKind } from "./definition.ts";
import { ChatMessage, Usage } from "./message.ts";
import { PendingTool, QueuedMessage, ToolCall } from "./team.ts";

/** The version of {@link SavedState}. Every older one still opens. */
export const SAVED_STATE_VERSION = 2;

/** What the participants' models are shown, in order: what was said, and each participant's own calls with their results. */
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

/** A turn that has begun and has not come to its end: an interrupt or a pending tool call stands in it. */
export const OpenTurn = z.object({
  id: z.string(),
  participant: z.string(),
  /** Set for the answer to a user's message: whether others speak after it. */
  directed: z.enum(["continue", "pause"]).optional(),
  /** Set where it waits for the user to speak: as whom. */
  awaits: z.object({ participant: z.string(), path: z.array(z.string()).min(1).optional() }).optional(),
  /** Set once its message stands: all that is missing is the turn's conclusion. */
  said: z.literal(true).optional(),
});
export type OpenTurn = z.infer<typeof OpenTurn>;

const savedFields = {
  schemaVersion: z.number().int(),
  team: z.object({ name: z.string(), kind: TeamKind, participants: z.array(z.string()) }),
  transcript: z.array(TranscriptEntry),
  pendingTools: z.array(PendingTool),
  queued: z.array(QueuedMessage),
  openTurns: z.array(OpenTurn),
  /** Who last finished a turn in the order of speakers. */
  lastSpeaker: z.string().nullable(),
  turn: z.number().int(),
  usage: Usage,
  interrupted: z.boolean(),
  lastStop: z.string().nullable().optional(),
  /** How many messages of the transcript's end the conditions have counted since they were reset. */
  conditionMessages: z.number().int(),
  /** From here on since version 2: how many turns each participant has finished since the flow began. */
  turns: z.record(z.string(), z.number().int()).optional(),
  /** What each participant has spent. */
  usages: z.record(z.string(), Usage).optional(),
  /** Whom the last handoff was to. */
  handoffTo: z.string().optional(),
  /** What the manager keeps in mind. */
  note: z.unknown().optional(),
  /** How many unseen answers a model has given to whom. */
  asked: z.record(z.string(), z.number().int()).optional(),
  /** What each participant has noted for itself. */
  memories: z.record(z.string(), z.array(z.string())).optional(),
  /** The answer to a user's message that was cut short. */
  unanswered: z.object({ participant: z.string(), directed: z.enum(["continue", "pause"]) }).optional(),
  /** Messages to one participant that are delivered and not answered. */
  due: z.array(z.object({ id: z.string(), to: z.string() })).optional(),
  /** The user participant whose turn it is. */
  awaitingUser: z.object({ participant: z.string(), path: z.array(z.string()).min(1).optional() }).optional(),
};

/** A team's state as plain JSON, whole: what `team/saveState` gives and `team/loadState` takes. */
export type SavedState = z.infer<z.ZodObject<typeof savedFields>> & {
  /** The nested teams, by participant. */
  inner?: Record<string, SavedState> | undefined;
};
export const SavedState: z.ZodType<SavedState> = z.lazy(() =>
  z.object({ ...savedFields, inner: z.record(z.string(), SavedState).optional() }),
) as z.ZodType<SavedState>;
