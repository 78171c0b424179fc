import type { ParticipantChange } from "../contract/participant-change.ts";

/** The names that the changed team does not have any more, or that somebody else has now. */
export const departedNames = (changes: readonly ParticipantChange[]): ReadonlySet<string> =>
  new Set(changes.flatMap(({ kind, name }) => (kind === "added" ? [] : [name])));

/** Who is there in place of a participant that was replaced: by the old name. */
export const replacedNames = (changes: readonly ParticipantChange[]): ReadonlyMap<string, string> =>
  new Map(changes.flatMap((change) => (change.kind === "replaced" ? [[change.name, change.by] as const] : [])));
