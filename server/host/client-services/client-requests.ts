import { CancellationTokenSource, type Connection } from "vscode-languageserver/node";
import type { z } from "zod";
import type { RequestMessage } from "../../../shared/contract/message-type.ts";
import type { Problem } from "../../../shared/contract/problem.ts";
import { schemaProblems } from "../definition/schema-problems.ts";
import { toProblem } from "../definition/validation-problem.ts";

/** Sends requests to the client. */
export interface ClientRequests {
  /** @throws the client's error, or an Error if the result does not match its schema. An abort sends `$/cancelRequest`. */
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
        const parsed = message.result.safeParse(result);
        if (parsed.success) return parsed.data;
        const problems = schemaProblems(message.result, result, parsed.error.issues).map(toProblem);
        throw new Error(`Its answer to ${message.method} has the wrong shape: ${sentenceOf(problems)}.`);
      } finally {
        signal?.removeEventListener("abort", cancel);
        source.dispose();
      }
    },
  };
}

const sentenceOf = (problems: readonly Problem[]): string =>
  problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
