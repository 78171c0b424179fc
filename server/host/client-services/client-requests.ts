import { CancellationTokenSource, type Connection } from "vscode-languageserver/node";
import type { z } from "zod";
import type { RequestMessage } from "../../../shared/contract/message-type.ts";
import type { Problem } from "../../../shared/contract/problem.ts";
import { safeParse } from "../../../shared/safe-parse.ts";
import { schemaProblems } from "../definition/schema-problems.ts";
import { toProblem } from "../definition/validation-problem.ts";

/** How much of what is wrong with an answer is logged: the problems, and their characters. */
const MAX_PROBLEMS = 5;
const MAX_DETAIL = 500;

/** Sends requests to the client. */
export interface ClientRequests {
  /** @throws the client's error, or a MalformedAnswer. An abort sends `$/cancelRequest`. */
  send<P extends z.ZodType, R extends z.ZodType>(
    message: RequestMessage<P, R>,
    params: z.input<P>,
    signal?: AbortSignal,
  ): Promise<z.output<R>>;
}

/** The client's answer does not have the shape that the protocol demands. What is wrong with it is in the log. */
export class MalformedAnswer extends Error {
  constructor(method: string) {
    super(`The client gave a malformed answer to ${method}; the log says what is wrong with it.`);
  }
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
        const parsed = safeParse(message.result, result);
        if (parsed.success) return parsed.data;
        const issues = parsed.error.issues.slice(0, MAX_PROBLEMS);
        const problems = schemaProblems(message.result, result, issues).slice(0, MAX_PROBLEMS).map(toProblem);
        const detail = sentenceOf(problems).slice(0, MAX_DETAIL);
        connection.console.warn(`The client's answer to ${message.method} is malformed: ${detail}.`);
        throw new MalformedAnswer(message.method);
      } finally {
        signal?.removeEventListener("abort", cancel);
        source.dispose();
      }
    },
  };
}

const sentenceOf = (problems: readonly Problem[]): string =>
  problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
