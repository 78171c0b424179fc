import * as z from "zod";
import { TeamDefinition } from "./definition.ts";

/** What became of one participant. One that replaces another may have its name or one of its own. */
export const ParticipantChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("added"), name: z.string() }),
  z.object({ kind: z.literal("removed"), name: z.string() }),
  z.object({ kind: z.literal("replaced"), name: z.string(), by: z.string() }),
]);
export type ParticipantChange = Readonly<z.infer<typeof ParticipantChange>>;

/**
 * Other participants than before: of the team or, with `within`, of the nested team to which those participants lead.
 * `definition` is that of the whole team, from then on. Without `changes` the team's file has changed.
 */
export const participantsChangedFields = {
  changes: z.array(ParticipantChange),
  within: z.array(z.string()).min(1).optional(),
  definition: TeamDefinition,
};
const ParticipantsChanged = z.object(participantsChangedFields);
export type ParticipantsChanged = Readonly<z.infer<typeof ParticipantsChanged>>;
