import * as z from "zod";

/** What a session of an agent has been told of the conversation, as it is stored. */
export const ToldRecord = z.object({
  earlier: z.array(z.string()),
  own: z.array(z.string()),
  said: z.string(),
});
export type ToldRecord = z.infer<typeof ToldRecord>;
