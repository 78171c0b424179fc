import * as z from "zod";

/** Set for a nested team: the participants that lead to it. */
const path = z.array(z.string()).min(1).optional();

/** A participant of a team or of one of its nested teams. */
export const PlacedParticipant = z.object({ participant: z.string(), path });
export type PlacedParticipant = z.infer<typeof PlacedParticipant>;

/** A call that an interrupt found open. It may have had effects once it has started, unless its tool is read-only. */
export const PlacedTool = z.object({
  ref: z.string(),
  name: z.string(),
  participant: z.string(),
  path,
  mayHaveHadEffects: z.boolean(),
});
export type PlacedTool = z.infer<typeof PlacedTool>;

/** A call that waits for the user's decision, as a receipt or a preview names it. */
export const WaitingTool = PlacedTool.omit({ mayHaveHadEffects: true });
export type WaitingTool = z.infer<typeof WaitingTool>;

/** What an interrupt cut short: turns, and calls, each of which gets a result that says so. */
export const Stopped = z.object({ participants: z.array(PlacedParticipant), tools: z.array(PlacedTool) });
export type Stopped = z.infer<typeof Stopped>;

/** What an interrupt kept, of the team itself. `words` counts the words of the partial messages. */
export const Kept = z.object({
  messages: z.number().int(),
  words: z.number().int(),
  queued: z.number().int(),
  pendingTools: z.number().int(),
});
export type Kept = z.infer<typeof Kept>;
