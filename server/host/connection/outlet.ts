import { ErrorCodes, Message, type MessageWriter } from "vscode-languageserver/node";

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

export const LOG_METHOD = "window/logMessage";

/** A line of the log: one of many, none of which the client waits for. */
export const isLogLine = (message: Message): boolean =>
  Message.isNotification(message) && message.method === LOG_METHOD;

/** A message with its JSON. An answer that is too large for one text becomes an error, so that its request is answered. */
export function encoded(message: Message): { readonly message: Message; readonly json: string } {
  try {
    return { message, json: JSON.stringify(message) };
  } catch (error) {
    if (!Message.isResponse(message)) throw error;
    const { jsonrpc, id } = message;
    const failure = {
      code: ErrorCodes.InternalError,
      message: "The answer is too large to be sent; read the team with team/events, page by page.",
      data: { code: "InternalError" },
    };
    const answer = { jsonrpc, id, error: failure };
    return { message: answer, json: JSON.stringify(answer) };
  }
}
