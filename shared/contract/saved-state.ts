import * as z from "zod";
import { TeamKind } from "./definition.ts";
import { ChatMessage, Usage } from "./message.ts";
import { PendingTool, QueuedMessage, ToolCall } from "./team.ts";

/** The version of {@link SavedState}. Every older one still opens. */
export const SAVED_STATE_VERSION = 1;

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
});
export type OpenTurn = z.infer<typeof OpenTurn>;

/** A team's state as plain JSON, whole: what `team/saveState` gives and `team/loadState` takes. */
export const SavedState = z.object({
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
});
export type SavedState = z.infer<typeof SavedState>;
