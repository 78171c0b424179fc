import * as z from "zod";

/** What a summary ends with: a message, or the calls of which this is the first. */
export const SummaryEnd = z.union([z.strictObject({ messageId: z.string() }), z.strictObject({ ref: z.string() })]);
export type SummaryEnd = z.infer<typeof SummaryEnd>;

/** A summary that a participant's model is shown in place of the conversation up to `through`. */
export const ContextSummary = z.object({ text: z.string(), through: SummaryEnd });
export type ContextSummary = z.infer<typeof ContextSummary>;

/**
 * What became of a participant's context. `restored`: the user wants it to be shown the messages themselves. `requested`:
 * the user wants a summary, which is made before its model is asked next.
 */
export const ContextState = z.object({
  summary: ContextSummary.optional(),
  restored: z.literal(true).optional(),
  requested: z.literal(true).optional(),
});
export type ContextState = z.infer<typeof ContextState>;
