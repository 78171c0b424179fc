import * as z from "zod";
import { Grace, Severity } from "./severity.ts";

const oneOrMore = z.union([z.string(), z.array(z.string()).min(1)]);

const amounts = {
  turns: z.number().int().positive().optional(),
  seconds: z.number().positive().optional(),
  tokens: z.number().int().positive().optional(),
  cost: z.number().positive().optional(),
};

/**
 * What a rule waits for; all that it names must hold at one time. `message`, `tool` and `participant` are about one turn: a
 * message said in it, a tool called in it, who takes it. `turns`, `seconds`, `tokens` and `cost` are what the run has used so far.
 */
export const Watched = z
  .strictObject({
    /** A message with this text, while it is still being said. Of any participant; of the user only where `sources` says so. */
    message: z
      .strictObject({
        contains: z.string().min(1).optional(),
        matches: z.string().min(1).optional(),
        sources: z.array(z.string()).min(1).optional(),
      })
      .optional(),
    /** A tool that is asked for, before it runs. */
    tool: z
      .strictObject({
        name: oneOrMore.optional(),
        arguments: z
          .strictObject({ contains: z.string().min(1).optional(), matches: z.string().min(1).optional() })
          .optional(),
      })
      .optional(),
    /** Who has the floor. */
    participant: oneOrMore.optional(),
    ...amounts,
    /** Nothing was said or done for so long while the team ran. */
    stall: z.strictObject({ seconds: z.number().positive() }).optional(),
  })
  .refine((watched) => Object.values(watched).some((part) => part !== undefined), {
    message: "name at least one of message, tool, participant, turns, seconds, tokens, cost, stall",
  });
export type Watched = z.infer<typeof Watched>;

/** An interrupt that comes by itself, at most once in a run (seed 001, "conditional interrupts"). */
export const InterruptRule = z.strictObject({
  /** Whom the interrupt is told to be by; `watch` if left out. */
  name: z.string().min(1).optional(),
  when: Watched,
  severity: Severity.optional(),
  grace: Grace.optional(),
  /** What it stops: the whole `team` (the default), or the `participant` whose turn it is about. */
  scope: z.enum(["participant", "team"]).optional(),
  reason: z.string().min(1),
});
export type InterruptRule = z.infer<typeof InterruptRule>;
