import { isRecord, ownValue } from "../../../shared/json-record.ts";
import type { StreamEnd } from "../api.ts";
import type { AnswerLimits } from "../endpoint/answer-limits.ts";
import { stringOrEmpty } from "../fields.ts";
import { causesOf, codeIn, NetworkError, type NetworkProblem } from "../network/network-error.ts";
import type { Answer } from "../network/send.ts";

/**
 * Why one attempt failed, before it is decided whether to retry. `text` is the endpoint's own and may contain anything,
 * a key too.
 */
export type Failure =
  /** The endpoint answered with an error status. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly code: string;
      readonly text: string;
      readonly headers?: Answer["headers"];
    }
  /** The endpoint redirects to the origin `to`; undefined for its own origin, or for an address that cannot be used. */
  | { readonly kind: "redirected"; readonly status: number; readonly to: string | undefined }
  /** An error reported within the stream of an answer. */
  | { readonly kind: "reported"; readonly text: string; readonly code?: string; readonly status?: number | undefined }
  /** A proxy or a certificate is in the way: nothing was sent to the endpoint. */
  | { readonly kind: "blocked"; readonly problem: NetworkProblem }
  /** No connection. `code` is the operating system's, such as ECONNREFUSED. */
  | { readonly kind: "unreachable"; readonly code: string }
  | { readonly kind: "timedOut" }
  /** What arrived is beyond a limit of the model's definition; `what` is the rest of a sentence about the endpoint. */
  | { readonly kind: "exceeded"; readonly limit: keyof AnswerLimits; readonly what: string }
  /** The connection broke, or the answer ended before it was finished. */
  | { readonly kind: "cutOff" }
  /** What arrived is not an answer of such an endpoint; `what` names it. */
  | { readonly kind: "malformed"; readonly what: string }
  /** The endpoint's content filter withheld the answer or its rest, or the model refused to give it. */
  | { readonly kind: "withheld" }
  /** The answer, or the conversation with it, has the most tokens that `limit` allows; it is not complete. */
  | { readonly kind: "outOfTokens"; readonly limit: "maxTokens" | "contextWindow" }
  /** It asks to wait longer than is waited for where another model could answer. */
  | { readonly kind: "asksToWait"; readonly waitMs: number }
  /** None of the above: more likely a bug of Gavel than a failure of the endpoint. */
  | { readonly kind: "unexpected"; readonly text: string };

/** Thrown for a failure whose reason is known. */
export class StreamError extends Error {
  override readonly name = "StreamError";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

export const exceeded = (limit: keyof AnswerLimits, what: string): StreamError =>
  new StreamError({ kind: "exceeded", limit, what });

const BROKEN_CONNECTION: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

/** The failure behind a value that was thrown while an answer was read. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof StreamError) return thrown.failure;
  if (thrown instanceof SyntaxError) return { kind: "malformed", what: "an event that is not JSON" };
  const code = systemCode(thrown);
  if (code === "ETIMEDOUT") return { kind: "timedOut" };
  if (code !== "") return { kind: "cutOff" };
  return { kind: "unexpected", text: thrown instanceof Error ? thrown.message : String(thrown) };
}

/** The failure behind what was thrown before there was an answer. */
export function connectionFailure(thrown: unknown): Failure {
  if (thrown instanceof NetworkError) return { kind: "blocked", problem: thrown.problem };
  const code = systemCode(thrown);
  if (code === "ETIMEDOUT") return { kind: "timedOut" };
  if (BROKEN_CONNECTION.has(code)) return { kind: "cutOff" };
  // The codes of Node's HTTP parser.
  if (code.startsWith("HPE_")) return { kind: "malformed", what: "something that is not HTTP" };
  return { kind: "unreachable", code };
}

/**
 * The error in an event of a stream, or undefined when it has none. vLLM marks an error by its `object`, with the text
 * beside it.
 */
export function reportedFailureIn(event: object): Failure | undefined {
  if ("error" in event && event.error) return reportedFailure(event.error);
  return "object" in event && event.object === "error" ? reportedFailure(event) : undefined;
}

/** An error as an endpoint reports it within a stream: an object with a text and a code, or the text alone (Ollama). */
export function reportedFailure(error: unknown): Failure {
  if (!isRecord(error)) return { kind: "reported", text: stringOrEmpty(error) };
  // OpenRouter gives the upstream provider's status as the code.
  const status = Number(error["code"]);
  return {
    kind: "reported",
    code: stringOrEmpty(error["code"]) || stringOrEmpty(error["type"]),
    text: stringOrEmpty(error["message"]),
    status: Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined,
  };
}

/** The system's error code, from the first error in the chain of causes that has one. */
const systemCode = (thrown: unknown): string =>
  causesOf(thrown)
    .map(codeIn)
    .find((code) => code !== "") ?? "";

/**
 * The error for a stream without a single event. The header is the endpoint's own text, so only known types are
 * repeated.
 */
export function emptyStreamError({ contentType }: StreamEnd): StreamError {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  return new StreamError({
    kind: "malformed",
    what: ownValue(CONTENT_TYPES, type) ?? "something that is not a stream of events",
  });
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  "text/html": "a web page instead of an answer",
  "application/json": "JSON instead of a stream of events",
  "text/event-stream": "an empty stream",
};

/** The error for an event that is not even an object. */
export const malformedEventError = (): StreamError =>
  new StreamError({ kind: "malformed", what: "an event that is not part of an answer" });
