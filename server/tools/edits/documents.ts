/** A file as an editor has it open. */
export interface OpenDocument {
  /** As the editor names it. */
  readonly uri: string;
  readonly text: string;
  /** Grows with each change of the text. */
  readonly version: number;
  /** The text has changes that the file has not. */
  readonly isDirty: boolean;
}

/** The editor's open files. What a person has typed and not saved is in them and nowhere else. */
export interface Documents {
  /** The open document of the file at an absolute path; undefined when none is open. */
  read(path: string, signal?: AbortSignal): Promise<OpenDocument | undefined>;
  /**
   * Puts `text` in the place of the document's own. It is saved when it had no unsaved changes before, as the file and the editor
   * agreed then and do so after; else it is left unsaved, since saving would also write what the person has not decided on.
   * False when the document has changed since it was read; nothing is changed then.
   */
  write(document: OpenDocument, text: string): Promise<boolean>;
}

/** For where there is no editor. */
export const noDocuments: Documents = {
  read: async () => undefined,
  write: async () => false,
};
