import * as z from "zod";
import { PlacedParticipant, PlacedTool, WaitingTool } from "./stopped.ts";
import { ParticipantActivity, PendingTool, QueuedMessage, StreamingMessage } from "./team.ts";

const path = PlacedParticipant.shape.path;

/** An open call: requested, running, or abandoned by an interrupt with its late result still expected. */
export const ToolInFlight = PlacedTool.extend({
  state: z.enum(["requested", "running", "abandoned"]),
  onInterrupt: z.enum(["abort", "wait", "background"]),
});
export type ToolInFlight = z.infer<typeof ToolInFlight>;

/** What an interrupt would stop now, and what would be kept. */
export const InterruptPreview = z.object({
  /** False when nothing in the scope is running, so that an interrupt stops nothing. */
  isRunning: z.boolean(),
  participants: z.array(PlacedParticipant.extend({ activity: ParticipantActivity })),
  tools: z.array(ToolInFlight),
  /** The messages that would be kept as partials, each with its number of words so far. */
  streaming: z.array(StreamingMessage.omit({ text: true }).extend({ path, words: z.number().int() })),
  /** The calls that wait for the user's decision, and that the interrupt would cancel. */
  waitingTools: z.array(WaitingTool).optional(),
  /** Queued messages, which stay queued. */
  waits: z.array(QueuedMessage),
});
export type InterruptPreview = z.infer<typeof InterruptPreview>;

/** What a directed message would do if it were sent now. */
export const MessagePreview = z.object({
  when: z.object({
    /**
     * `now`: no run is in progress; `afterInterrupt`: the run is interrupted first; `afterCancelling`: calls that wait for
     * the user are cancelled first; `afterRun`, `atNextTurn`: it waits; `blocked`: without a `delivery` it would be refused,
     * because calls are pending.
     */
    code: z.enum(["now", "afterInterrupt", "afterCancelling", "afterRun", "atNextTurn", "blocked"]),
    text: z.string(),
  }),
  /** The waiting calls that it would cancel: those of its target. */
  cancels: z.array(WaitingTool).optional(),
  /** Who would be interrupted for it. */
  interrupts: z.array(PlacedParticipant),
  /** The participants of the team that would be shown it. */
  seenBy: z.array(z.string()),
  /** True when a model selects the speakers or leads the team: it reads the whole thread. */
  seenByManager: z.boolean(),
});
export type MessagePreview = z.infer<typeof MessagePreview>;

/** What becomes of one of several files that a call would change together. */
export const FileChange = z.object({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string(),
  file: z.string(),
  deleted: z.literal(true).optional(),
  movedFrom: z.object({ path: z.string(), file: z.string() }).optional(),
});
export type FileChange = z.infer<typeof FileChange>;

/**
 * What a pending call would do. To a file, where `before` is null for a new file. For a command, whether it would run in the
 * sandbox, and if not, why. Null when its tool has no preview.
 */
export const ToolPreview = z
  .union([
    z.object({
      path: z.string(),
      before: z.string().nullable(),
      after: z.string(),
      /** The file: absolute, with links resolved. */
      file: z.string().optional(),
      /** Of this change. An answer whose metadata has it as `preview` makes exactly this change, or none. */
      digest: z.string().optional(),
    }),
    /** Changes of several files, which are made together. */
    z.object({
      files: z.array(FileChange).min(1),
      digest: z.string(),
    }),
    z.object({ sandbox: z.enum(["on", "off"]), reason: z.string().optional() }),
    z.object({ problem: z.string() }),
  ])
  .nullable();
export type ToolPreview = z.infer<typeof ToolPreview>;

/** The progress of a termination condition. `together` marks one that ends the run only with the others of its `all`. */
export const ConditionReport = z.object({
  kind: z.string(),
  /** When it fires, in a sentence. */
  text: z.string(),
  /** Such as "3 of 5 messages". */
  progress: z.string(),
  /** True when it has fired, or fires at its next check. */
  fired: z.boolean(),
  together: z.literal(true).optional(),
});
export type ConditionReport = z.infer<typeof ConditionReport>;

/** The state of a team and its nested teams in detail, including what each model would be shown. */
export const StateInspection = z.object({
  speakers: z.array(
    PlacedParticipant.extend({
      activity: ParticipantActivity,
      /** Turns that it has finished since the flow started, without answers to directed messages. */
      turns: z.number().int(),
      lastLine: z.string().optional(),
    }),
  ),
  /** What each participant with a model would be shown of the conversation if it were its turn. */
  contexts: z.array(
    PlacedParticipant.extend({
      items: z.number().int(),
      /** Estimated tokens of the items, without instructions and tools. */
      tokens: z.number().int(),
      /** How many items of the conversation its context leaves out. */
      dropped: z.number().int(),
      /** The first line of the oldest item. */
      firstShown: z.string().optional(),
      /** The first lines of the last items, oldest first. */
      tail: z.array(z.string()),
    }),
  ),
  tools: z.array(ToolInFlight),
  pendingTools: z.array(PendingTool),
  queued: z.array(QueuedMessage),
  conditions: z.array(ConditionReport.extend({ path })),
  /** The start of the manager's note, as JSON. */
  note: z.string().optional(),
});
export type StateInspection = z.infer<typeof StateInspection>;
