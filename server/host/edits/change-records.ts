import type { CommandChanges } from "../store/records/command-changes.ts";
import type { EditJournal } from "../store/records/edit-journal.ts";
import type { KeptFiles } from "../store/records/kept-files.ts";
import { type FileText, fileText } from "./merge/file-text.ts";

/** The journal and what else is stored about what teams do to files. */
export interface ChangeRecords {
  readonly edits: EditJournal;
  readonly kept: KeptFiles;
  readonly commandChanges: CommandChanges;
}

/** A stored content as a text: null for no file, undefined for one that the store does not have. */
export async function storedText(edits: EditJournal, hash: string | null): Promise<FileText | undefined> {
  if (hash === null) return null;
  const bytes = await edits.content(hash);
  return bytes === undefined ? undefined : fileText(bytes);
}
