import { type CancellationToken, type Connection, ResponseError } from "vscode-languageserver/node";
import type { z } from "zod";
import {
  ERROR_CODES,
  GavelError,
  invalidParams,
  messageOf,
  requestCancelled,
} from "../../../../shared/contract/errors.ts";
import type { RequestMessage } from "../../../../shared/contract/message-type.ts";
import { isRecord } from "../../../../shared/json-record.ts";
import { safeParse } from "../../../../shared/safe-parse.ts";
import { actOn } from "../../clients/acting.ts";
import type { Client } from "../../clients/client.ts";
import { schemaProblems } from "../../definition/schema-problems.ts";
import { toProblem } from "../../definition/validation-problem.ts";
import type { ForwardedRequest } from "../../other-hosts/host-parts.ts";
import type { OpenRequests } from "./open-requests.ts";

/** Makes the answer to a request. `signal` is aborted by `$/cancelRequest` if the request is bound with `stopRun`. */
export type Handler<P extends z.ZodType, R extends z.ZodType> = (
  params: z.output<P>,
  signal: AbortSignal,
) => z.input<R> | Promise<z.input<R>>;

/** What `$/cancelRequest` does: stop the run, whose result is the answer, or reject the request at once. */
export type OnCancel = "stopRun" | "rejectRequest";

export interface BindOptions {
  readonly connection: Pick<Connection, "onRequest">;
  /** Awaited before every answer that concerns a team, so that what happened in it is stored and sent before that. */
  readonly settled: (teamId: string) => Promise<unknown>;
  readonly requests: OpenRequests;
  /** Whose requests these are. @throws ResponseError before `initialize`. */
  readonly client: () => Client;
  /** Called first of all. @throws GavelError `NotAuthorized` for what this client can never ask for. */
  readonly admit?: (method: string, params: unknown) => void;
  /** Has another host answer a request about a team that it runs; undefined for what is answered here. */
  readonly forward?: (request: ForwardedRequest) => Promise<{ readonly result: unknown } | undefined> | undefined;
  /** Called before a request about a team is answered. @throws GavelError `NotAuthorized`. */
  readonly authorize?: (teamId: string, method: string, params: unknown) => Promise<void> | undefined;
  /** Reports a bug in Gavel. */
  readonly reportBug: (message: string) => void;
}

/** Answers a request: validates its params, and maps errors to the protocol's. Requests run concurrently. */
export function bindRequest<P extends z.ZodType, R extends z.ZodType>(
  { connection, settled, requests, client, admit, forward, authorize, reportBug }: BindOptions,
  message: RequestMessage<P, R>,
  handler: Handler<P, R>,
  onCancel: OnCancel = "rejectRequest",
): void {
  const { method } = message;
  connection.onRequest(method, async (...args: unknown[]) => {
    const { params, token } = argumentsOf(args);
    let teamId: string | undefined;
    try {
      admit?.(method, params);
      const valid = parseParams(message, params);
      teamId = teamOf(valid);
      const work = async (signal: AbortSignal): Promise<z.input<R>> => {
        if (teamId !== undefined && isRecord(params)) {
          const forwarded = forward?.({ client: client(), teamId, method, params, signal });
          const answered = forwarded && (await forwarded);
          // Sound because the other host answers the same request.
          if (answered !== undefined) return answered.result as z.input<R>;
        }
        const authorized = teamId === undefined ? undefined : authorize?.(teamId, method, valid);
        if (authorized !== undefined) await authorized;
        return handler(valid, signal);
      };
      const result = await requests.answer(method, teamId, () =>
        actOn(teamId, () =>
          onCancel === "rejectRequest" ? untilCancelled(token, method, work) : aborting(token, work),
        ),
      );
      if (teamId !== undefined) await settled(teamId);
      return result;
    } catch (error) {
      if (teamId !== undefined) await settled(teamId);
      return responseError(error, method, reportBug);
    }
  });
}

/** The team that a request is about, if it names one. */
const teamOf = (params: unknown): string | undefined =>
  isRecord(params) && typeof params["teamId"] === "string" ? params["teamId"] : undefined;

/** How many problems of params are reported. */
const MAX_PROBLEMS = 100;

/** jsonrpc passes no argument for missing params, and each item of params by position as one argument. */
function argumentsOf(args: readonly unknown[]): { readonly params: unknown; readonly token: CancellationToken } {
  const token = args.at(-1) as CancellationToken;
  const given = args.slice(0, -1);
  return { params: given.length > 1 ? given : (given[0] ?? {}), token };
}

function parseParams<P extends z.ZodType, R extends z.ZodType>(
  { method, params: schema }: RequestMessage<P, R>,
  params: unknown,
): z.output<P> {
  const parsed = safeParse(schema, params);
  if (parsed.success) return parsed.data;
  throw invalidParams(
    method,
    schemaProblems(schema, params, parsed.error.issues.slice(0, MAX_PROBLEMS)).map(toProblem),
  );
}

async function aborting<T>(token: CancellationToken, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const listening = token.onCancellationRequested(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    listening.dispose();
  }
}

/** Rejects on cancellation. The work itself continues, and its result is dropped. */
async function untilCancelled<T>(
  token: CancellationToken,
  method: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (token.isCancellationRequested) throw requestCancelled(method);
  const cancelled = Promise.withResolvers<never>();
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => {
    controller.abort();
    cancelled.reject(requestCancelled(method));
  });
  try {
    return await Promise.race([work(controller.signal), cancelled.promise]);
  } finally {
    listening.dispose();
  }
}

function responseError(error: unknown, method: string, reportBug: (message: string) => void): ResponseError<unknown> {
  if (error instanceof ResponseError) return error;
  if (error instanceof GavelError) return new ResponseError(error.rpcCode, error.message, error.data);
  reportBug(`${method} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const message = `${method} failed because of a bug in Gavel: ${messageOf(error)}`;
  return new ResponseError(ERROR_CODES.InternalError, message, { code: "InternalError" });
}
