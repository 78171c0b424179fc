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

/** The names that the changed team does not have any more, or that somebody else has now. */
export const departedNames = (changes: readonly ParticipantChange[]): ReadonlySet<string> =>
  new Set(changes.flatMap(({ kind, name }) => (kind === "added" ? [] : [name])));

/** Who is there in place of a participant that was replaced: by the old name. */
export const replacedNames = (changes: readonly ParticipantChange[]): ReadonlyMap<string, string> =>
  new Map(changes.flatMap((change) => (change.kind === "replaced" ? [[change.name, change.by] as const] : [])));
