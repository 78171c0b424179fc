import * as z from "zod";
import { SpeakerChoice } from "../conversation/speaker-choice.ts";

/**
 * Where the orchestrator is. A step that adds to the thread says how long the thread was before, so that after an interrupt what
 * was added is found and not said twice.
 */
const Step = z.discriminatedUnion("at", [
  z.object({ at: z.literal("facts") }),
  z.object({ at: z.literal("plan") }),
  /** The facts and the plan are told to the team; `isFirst` for the first plan. */
  z.object({ at: z.literal("tell"), thread: z.number().int(), isFirst: z.boolean() }),
  /** The progress is judged; `misfits` are the answers that could not be read, with what was wrong. */
  z.object({ at: z.literal("progress"), misfits: z.array(z.object({ answer: z.string(), problem: z.string() })) }),
  /** What the judgement came to is said to the next speaker, who then has its turn. */
  z.object({ at: z.literal("instruct"), speaker: z.string(), instruction: z.string(), thread: z.number().int() }),
  z.object({ at: z.literal("turn"), chosen: SpeakerChoice }),
  /** The task is done, and the user gets the answer. */
  z.object({ at: z.literal("answer"), reason: z.string(), thread: z.number().int() }),
]);

/** What the orchestrator keeps in mind: its task ledger, and where it is. Lengths and places are counted in messages of the thread. */
export const Note = z.object({
  task: z.string(),
  facts: z.string(),
  /** Empty until the first one is made. */
  plan: z.string(),
  stalls: z.number().int(),
  /** Where the talk about the current plan begins, just behind the message that told it. */
  since: z.number().int(),
  /** Up to where the user's messages are in the task. */
  heard: z.number().int(),
  step: Step,
});
export type Note = z.infer<typeof Note>;
type Step = z.infer<typeof Step>;
export type StepOf<A extends Step["at"]> = Extract<Step, { at: A }>;
