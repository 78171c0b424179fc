import { graphNoteAfterChange } from "./graph/graph-note-after-change.ts";
import { magenticNoteAfterChange } from "./magentic/magentic-note.ts";
import type { ChangedTeam } from "./manager.ts";

/** A manager's note for the team as it is after a change of participants; undefined if the note stays as it is. */
export function noteAfterChange(note: unknown, changed: ChangedTeam): unknown {
  const { kind } = changed.after;
  switch (kind) {
    case "graph":
      return graphNoteAfterChange(note, changed);
    case "magentic":
      return magenticNoteAfterChange(note);
    // Who was selected and is not there any more is not selected again.
    case "roundRobin":
    case "selector":
    case "swarm":
      return undefined;
    default:
      return kind satisfies never;
  }
}
