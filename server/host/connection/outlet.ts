import type { Message, MessageWriter } from "vscode-languageserver/node";

/** A writer that says when the client does not read as fast as is written. */
export interface Outlet extends MessageWriter {
  /** True while so much is not read yet that no more should be written. */
  readonly isFull: boolean;
  /** Resolves when the client has read on. */
  drained(): Promise<void>;
  write(message: Message): Promise<void>;
}

/** How much may wait to be read, in bytes. */
export const MOST_UNREAD = 1024 * 1024;
