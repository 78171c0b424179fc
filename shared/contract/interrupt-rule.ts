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
 * What triggers a rule; everything that it names must be true at the same time. `message`, `tool` and `participant` are
 * about one turn: its message, a tool call in it, its speaker. `turns`, `seconds`, `tokens` and `cost` are what the run has
 * used.
 */
export const Watched = z
  .strictObject({
    /** A message with this text, also while it is streaming. Of any participant; of the user only if `sources` says so. */
    message: z
      .strictObject({
        contains: z.string().min(1).optional(),
        matches: z.string().min(1).optional(),
        sources: z.array(z.string()).min(1).optional(),
      })
      .optional(),
    /** A requested tool call, before it runs. */
    tool: z
      .strictObject({
        name: oneOrMore.optional(),
        arguments: z
          .strictObject({ contains: z.string().min(1).optional(), matches: z.string().min(1).optional() })
          .optional(),
      })
      .optional(),
    /** The current speaker. */
    participant: oneOrMore.optional(),
    ...amounts,
    /** The team is running, but nothing has happened for this long. */
    stall: z.strictObject({ seconds: z.number().positive() }).optional(),
  })
  .refine((watched) => Object.values(watched).some((part) => part !== undefined), {
    message: "name at least one of message, tool, participant, turns, seconds, tokens, cost, stall",
  });
export type Watched = z.infer<typeof Watched>;

/** A rule that interrupts a run by itself, at most once per run. */
export const InterruptRule = z.strictObject({
  /** The name that the interrupt is attributed to; `watch` if left out. */
  name: z.string().min(1).optional(),
  when: Watched,
  severity: Severity.optional(),
  grace: Grace.optional(),
  /** What it stops: the whole `team` (the default), or the `participant` whose turn triggered it. */
  scope: z.enum(["participant", "team"]).optional(),
  reason: z.string().min(1),
});
export type InterruptRule = z.infer<typeof InterruptRule>;
