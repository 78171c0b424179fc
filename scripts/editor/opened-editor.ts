/** What `npm start` opens. */
export interface ToOpen {
  /** The folder, absolute. */
  readonly folder: string;
  /** Whether VS Code takes the folder as trusted without asking: it is our own sample. */
  readonly trusted: boolean;
}

/** A VS Code that `npm start` has opened. */
export interface OpenedEditor {
  /** For the developer: the program, or the address. */
  readonly where: string;
  /** Settles when the developer has closed it; an editor in the browser never does. */
  readonly closed: Promise<void>;
  readonly dispose: () => Promise<void>;
}
