/** A file that is open in the editor. */
export interface OpenDocument {
  /** The document's URI in the editor. */
  readonly uri: string;
  readonly text: string;
  /** Increases with each change of the text. */
  readonly version: number;
  /** Whether the text has unsaved changes. */
  readonly isDirty: boolean;
}

/** The editor's open files, which may have unsaved changes. */
export interface Documents {
  /** The open document of the file at an absolute path; undefined when none is open. */
  read(path: string, signal?: AbortSignal): Promise<OpenDocument | undefined>;
  /**
   * Replaces the document's text. A document without unsaved changes is then saved; one with unsaved changes is left
   * unsaved, since saving would also write the user's own changes. False when the document changed since it was read;
   * nothing is changed then.
   */
  write(document: OpenDocument, text: string): Promise<boolean>;
}

/** Without an editor. */
export const noDocuments: Documents = {
  read: async () => undefined,
  write: async () => false,
};
