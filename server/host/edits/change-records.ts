import type { CommandChanges } from "../store/records/command-changes.ts";
import type { EditJournal } from "../store/records/edit-journal.ts";
import type { KeptFiles } from "../store/records/kept-files.ts";

/** The journal and what else is stored about what teams do to files. */
export interface ChangeRecords {
  readonly edits: EditJournal;
  readonly kept: KeptFiles;
  readonly commandChanges: CommandChanges;
}
