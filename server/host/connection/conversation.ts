import type { Duplex } from "node:stream";
import {
  CancellationTokenSource,
  createMessageConnection,
  ErrorCodes,
  ResponseError,
} from "vscode-languageserver/node";
import { CONVERSATION_END, type Conversation } from "../other-hosts/host-parts.ts";
import { BatchedWriter } from "./batched-writer.ts";
import { FrameReader } from "./frame-reader.ts";
import { CONNECTION_OPTIONS } from "./transport.ts";

class ConversationEnd extends Error {
  override readonly name = CONVERSATION_END;
}

/** Begins the protocol over a stream to another host. */
export function converse(stream: Duplex): Conversation {
  const reader = new FrameReader(stream, () => stream.destroy());
  const connection = createMessageConnection(reader, new BatchedWriter(stream), undefined, CONNECTION_OPTIONS);
  // What is still asked is answered with an error.
  stream.once("close", () => connection.dispose());
  connection.listen();
  return {
    request: async (method, params, signal) => {
      const source = new CancellationTokenSource();
      const cancel = (): void => source.cancel();
      if (signal?.aborted) cancel();
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        return await connection.sendRequest(method, params, source.token);
      } catch (error) {
        if (error instanceof ResponseError && error.code !== ErrorCodes.PendingResponseRejected) throw error;
        throw new ConversationEnd("The other host has gone.");
      } finally {
        signal?.removeEventListener("abort", cancel);
      }
    },
    notify: (method, params) => void connection.sendNotification(method, params).catch(() => undefined),
    onNotification: (listener) => void connection.onNotification((method, params) => listener(method, params)),
  };
}
