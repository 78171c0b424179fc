import * as z from "zod";
import { PlacedParticipant, PlacedTool } from "./stopped.ts";
import { ParticipantActivity, PendingTool, QueuedMessage, StreamingMessage } from "./team.ts";

const path = PlacedParticipant.shape.path;

/** A call that is open: asked for, at work, or left behind by an interrupt with its late result still taken. */
export const ToolInFlight = PlacedTool.extend({
  state: z.enum(["requested", "running", "abandoned"]),
  onInterrupt: z.enum(["abort", "wait", "background"]),
});
export type ToolInFlight = z.infer<typeof ToolInFlight>;

/** What an interrupt would stop if it came now, and what would stay. */
export const InterruptPreview = z.object({
  /** False where nothing of the scope is at work: an interrupt of it stops nothing. */
  isRunning: z.boolean(),
  participants: z.array(PlacedParticipant.extend({ activity: ParticipantActivity })),
  tools: z.array(ToolInFlight),
  /** The messages that would be kept as partials, and how many words each has by now. */
  streaming: z.array(StreamingMessage.omit({ text: true }).extend({ path, words: z.number().int() })),
  /** Messages to one participant that go on waiting. */
  waits: z.array(QueuedMessage),
});
export type InterruptPreview = z.infer<typeof InterruptPreview>;

/** What a message to one participant would do if it were sent now. */
export const MessagePreview = z.object({
  when: z.object({
    /**
     * `now`: the team is at rest; `afterInterrupt`: what runs is stopped first; `afterRun`, `atNextTurn`: it waits; `blocked`: it
     * would be refused, as calls wait for the user.
     */
    code: z.enum(["now", "afterInterrupt", "afterRun", "atNextTurn", "blocked"]),
    text: z.string(),
  }),
  /** Who would be stopped for it. */
  interrupts: z.array(PlacedParticipant),
  /** The participants of the team who would be shown it. */
  seenBy: z.array(z.string()),
  /** True where a model chooses the speakers, or leads the team: it reads the whole thread, whoever a message is for. */
  seenByManager: z.boolean(),
});
export type MessagePreview = z.infer<typeof MessagePreview>;

/** What a pending call would do to a file; `before` is null for a new one. Null where its tool has nothing to show. */
export const ToolPreview = z
  .union([
    z.object({ path: z.string(), before: z.string().nullable(), after: z.string() }),
    z.object({ problem: z.string() }),
  ])
  .nullable();
export type ToolPreview = z.infer<typeof ToolPreview>;

/** How a termination condition stands. `together` marks one that ends the run only with the others of its `all`. */
export const ConditionReport = z.object({
  kind: z.string(),
  /** When it fires, as a sentence. */
  text: z.string(),
  /** How far it has come, such as "3 of 5 messages". */
  progress: z.string(),
  /** True where it has fired, or will when it is next asked. */
  fired: z.boolean(),
  together: z.literal(true).optional(),
});
export type ConditionReport = z.infer<typeof ConditionReport>;

/** A team at rest or at work, as deep as it goes: what `team/inspect` shows of it, and what its participants go by. */
export const StateInspection = z.object({
  speakers: z.array(
    PlacedParticipant.extend({
      activity: ParticipantActivity,
      /** Turns that it has finished since the flow began, answers to directed messages aside. */
      turns: z.number().int(),
      lastLine: z.string().optional(),
    }),
  ),
  /** What each participant that speaks through a model would be shown of the talk if it were its turn. */
  contexts: z.array(
    PlacedParticipant.extend({
      items: z.number().int(),
      /** About how many tokens the items take; instructions and tools come on top. */
      tokens: z.number().int(),
      /** How many items of the talk its context leaves out. */
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
  /** The beginning of what the manager keeps in mind, as JSON. */
  note: z.string().optional(),
});
export type StateInspection = z.infer<typeof StateInspection>;
