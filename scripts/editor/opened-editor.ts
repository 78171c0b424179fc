/** What `npm start` opens. */
export interface ToOpen {
  /** The folder, absolute. */
  readonly folder: string;
  /** Whether VS Code trusts the folder without asking, as it does our own sample. */
  readonly trusted: boolean;
}

/** A VS Code that `npm start` has opened. */
export interface OpenedEditor {
  /** The program or the address, to show to the developer. */
  readonly where: string;
  /** Settles when the developer has closed it; an editor in the browser never does. */
  readonly closed: Promise<void>;
  readonly dispose: () => Promise<void>;
}
