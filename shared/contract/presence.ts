import * as z from "zod";
import { notification } from "./message-type.ts";
import { User } from "./people.ts";

const teamId = z.string().min(1).max(200);

/** A client that has opened a team. */
export const PresentClient = z.object({
  id: z.string(),
  user: User,
  /** Such as "Visual Studio Code 1.120.0". */
  program: z.string(),
  /** True for the client that is told this. */
  isSelf: z.boolean(),
  /** Its user is writing a message. */
  isWriting: z.boolean(),
});
export type PresentClient = z.infer<typeof PresentClient>;

/** Sent by the host to each client that has opened a team, when another opens it, leaves, or begins or ends writing. */
export const TeamPresence = notification("team/presence", z.object({ teamId, clients: z.array(PresentClient) }));

/** Sent by a client when its user begins to write a message to the team, and when the draft is sent, emptied or left. */
export const TeamWriting = notification("team/writing", z.object({ teamId, isWriting: z.boolean() }));
