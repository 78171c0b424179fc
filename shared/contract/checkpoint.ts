import * as z from "zod";

/** A point that a team can go back to. */
export const Checkpoint = z.object({
  /** The team's last event before it: the `seq` of `team/rewind`, and `after` of `edits/undo`. */
  seq: z.number().int(),
  at: z.string(),
  /** The message that it is before; left out for the state before the team last went back, or was reset. */
  messageId: z.string().optional(),
  text: z.string().optional(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;
