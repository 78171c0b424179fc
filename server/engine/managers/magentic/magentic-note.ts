import * as z from "zod";
import { SpeakerChoice } from "../conversation/speaker-choice.ts";

/**
 * The orchestrator's current step. A step that adds a message stores the thread's length before it, so that after an
 * interrupt the message is found and not added twice.
 */
const Step = z.discriminatedUnion("at", [
  z.object({ at: z.literal("facts") }),
  z.object({ at: z.literal("plan") }),
  /** The facts and the plan are announced to the team; `isFirst` for the first plan. */
  z.object({ at: z.literal("tell"), thread: z.number().int(), isFirst: z.boolean() }),
  /** Progress is evaluated; `misfits` are the invalid answers so far, each with its problem. */
  z.object({ at: z.literal("progress"), misfits: z.array(z.object({ answer: z.string(), problem: z.string() })) }),
  /** The instruction is given to the next speaker, who then takes its turn. */
  z.object({ at: z.literal("instruct"), speaker: z.string(), instruction: z.string(), thread: z.number().int() }),
  z.object({ at: z.literal("turn"), chosen: SpeakerChoice }),
  /** The task is done, and the user gets the answer. */
  z.object({ at: z.literal("answer"), reason: z.string(), thread: z.number().int() }),
]);

/** What the orchestrator stores: its task ledger and its current step. Positions are indexes of messages in the thread. */
export const Note = z.object({
  task: z.string(),
  facts: z.string(),
  /** Empty until there is a first plan. */
  plan: z.string(),
  stalls: z.number().int(),
  /** The position after the message that announced the current plan. */
  since: z.number().int(),
  /** The position up to which the user's messages are included in the task. */
  heard: z.number().int(),
  /** The plan was made for other participants: a new one follows. */
  teamChanged: z.literal(true).optional(),
  step: Step,
});
export type Note = z.infer<typeof Note>;
type Step = z.infer<typeof Step>;
/** The note after a change of participants: a new plan is made for them. Undefined where none was made or needed yet. */
export function magenticNoteAfterChange(note: unknown): Note | undefined {
  const known = Note.safeParse(note);
  if (!known.success || known.data.plan === "" || known.data.step.at === "answer") return undefined;
  return { ...known.data, teamChanged: true, step: { at: "plan" } };
}

export type StepOf<A extends Step["at"]> = Extract<Step, { at: A }>;
