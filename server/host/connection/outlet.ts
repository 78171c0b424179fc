import { ErrorCodes, Message, type MessageWriter, type NotificationMessage } from "vscode-languageserver/node";
import { TeamEventNotification } from "../../../shared/contract/client-requests.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { unsendable } from "../store/events/sendable.ts";

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

interface Encoded {
  readonly message: Message;
  readonly json: string;
}

/** The event that was told last, and once it is known its JSON: every client that follows the team is sent the same. */
let lastEvent: { readonly event: TeamEvent; readonly message: NotificationMessage; encoded?: Encoded } | undefined;

/**
 * A message with its JSON. An answer that is too large for one text becomes an error, so that its request is answered, and
 * so does an event, so that the client gets each number.
 */
export function encoded(message: Message): Encoded {
  if (lastEvent?.message === message) {
    lastEvent.encoded ??= encode(message);
    return lastEvent.encoded;
  }
  return encode(message);
}

function encode(message: Message): Encoded {
  try {
    return { message, json: JSON.stringify(message) };
  } catch (error) {
    const told = eventIn(message);
    if (told !== undefined && "seq" in told.event) return encoded(eventMessage(told.teamId, unsendable(told.event)));
    if (!Message.isResponse(message)) throw error;
    const { jsonrpc, id } = message;
    const failure = {
      code: ErrorCodes.InternalError,
      message:
        "The answer is too large to be sent; read the team with team/events, page by page, or save it with team/saveStateFile.",
      data: { code: "InternalError" },
    };
    const answer = { jsonrpc, id, error: failure };
    return { message: answer, json: JSON.stringify(answer) };
  }
}

/** The event that a message tells, if it tells one. It was made by this host, so its shape is known. */
export function eventIn(message: Message): { readonly teamId: string; readonly event: TeamEvent } | undefined {
  if (!Message.isNotification(message) || message.method !== TeamEventNotification.method) return undefined;
  return message.params as { readonly teamId: string; readonly event: TeamEvent };
}

/** The message that tells an event: the same one for each client that is told it at a time. */
export function eventMessage(teamId: string, event: TeamEvent): NotificationMessage {
  if (lastEvent?.event === event) return lastEvent.message;
  const message = notification(TeamEventNotification.method, { teamId, event });
  lastEvent = { event, message };
  return message;
}

export const notification = (method: string, params: object): NotificationMessage => ({
  jsonrpc: "2.0",
  method,
  params,
});
