/** The tool call that makes an edit. */
export interface EditOrigin {
  readonly teamId: string;
  readonly participant: string;
  readonly ref: string;
}

/** A change of one file; `null` means that the file does not exist. */
export interface FileEdit {
  /** Absolute, with its links resolved. */
  readonly path: string;
  /** The path as shown to the user. */
  readonly shown: string;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
}

/** An edit that was recorded before it is made, so that it can be undone even after a crash in between. */
export interface PlannedEdit {
  /** Records the actual content where it differs from the plan: an editor may format what it saves. */
  appliedAs(after: Buffer | null): Promise<void>;
  /** Records that the edit was not made. */
  failed(): Promise<void>;
}

/** Where edits are recorded, so that they can be undone. */
export interface EditLog {
  /** Resolves when the edit is stored. @throws when it cannot be; it is then not made. */
  plan(origin: EditOrigin, edit: FileEdit): Promise<PlannedEdit>;
}

/** Without undo. */
export const noEditLog: EditLog = { plan: async () => UNPLANNED };

/** An edit that is not recorded. */
export const UNPLANNED: PlannedEdit = { appliedAs: async () => {}, failed: async () => {} };
