import * as z from "zod";

/** Where it is a nested team's: the participants that one goes through to it. */
const path = z.array(z.string()).min(1).optional();

/** A participant of a team or of one within it. */
export const PlacedParticipant = z.object({ participant: z.string(), path });
export type PlacedParticipant = z.infer<typeof PlacedParticipant>;

/** A call whose tool has been at work. It may have had effects once it has begun, unless its tool says that it only reads. */
export const PlacedTool = z.object({
  ref: z.string(),
  name: z.string(),
  participant: z.string(),
  path,
  mayHaveHadEffects: z.boolean(),
});
export type PlacedTool = z.infer<typeof PlacedTool>;

/** What an interrupt cut short: turns, and calls, which have a result that says so. */
export const Stopped = z.object({ participants: z.array(PlacedParticipant), tools: z.array(PlacedTool) });
export type Stopped = z.infer<typeof Stopped>;

/** What there is after an interrupt, of the team itself: `words` are those of the partial messages that it left. */
export const Kept = z.object({
  messages: z.number().int(),
  words: z.number().int(),
  queued: z.number().int(),
  pendingTools: z.number().int(),
});
export type Kept = z.infer<typeof Kept>;
