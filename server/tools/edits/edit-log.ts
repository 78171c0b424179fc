/** Whose call an edit is made by. */
export interface EditOrigin {
  readonly teamId: string;
  readonly participant: string;
  readonly ref: string;
}

/** One change of one file. `null` stands for no file. */
export interface FileEdit {
  /** Absolute, with its links resolved. */
  readonly path: string;
  /** As the user knows it. */
  readonly shown: string;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
}

/** An edit that was written down before it is made, so that it can be undone also after a crash in its midst. */
export interface PlannedEdit {
  /** What stands in the file now that the edit is made, where that is not what was planned: an editor may format what it saves. */
  madeAs(after: Buffer | null): void;
  /** The edit was not made. */
  notMade(): void;
}

/** Where edits are written down, so that they can be undone. */
export interface EditLog {
  /** @throws when it can not be written down; the edit is then not made. */
  plan(origin: EditOrigin, edit: FileEdit): PlannedEdit;
}

/** For where nobody can undo. */
export const noEditLog: EditLog = { plan: () => ({ madeAs: () => {}, notMade: () => {} }) };
