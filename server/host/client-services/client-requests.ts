import { CancellationTokenSource, type Connection } from "vscode-languageserver/node";
import type { z } from "zod";
import type { RequestMessage } from "../../../shared/contract/message-type.ts";

/** Sends requests to the client. */
export interface ClientRequests {
  /** @throws the client's error, or a ZodError if the result does not match its schema. An abort sends `$/cancelRequest`. */
  send<P extends z.ZodType, R extends z.ZodType>(
    message: RequestMessage<P, R>,
    params: z.input<P>,
    signal?: AbortSignal,
  ): Promise<z.output<R>>;
}

export function clientRequests(connection: Connection): ClientRequests {
  return {
    send: async (message, params, signal) => {
      const source = new CancellationTokenSource();
      const cancel = (): void => source.cancel();
      signal?.addEventListener("abort", cancel);
      if (signal?.aborted) cancel();
      try {
        const result: unknown = await connection.sendRequest(message.method, params, source.token);
        return message.result.parse(result);
      } finally {
        signal?.removeEventListener("abort", cancel);
        source.dispose();
      }
    },
  };
}
