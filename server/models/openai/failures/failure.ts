import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { isRecord } from "../../../../shared/json-record.ts";
import type { StreamEnd } from "../api.ts";
import { textOf } from "../fields.ts";

/** What went wrong with one attempt, before it is known whether another is made. `text` is the endpoint's own and may hold anything. */
export type Fault =
  /** The endpoint answered with a status that is no success. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly code: string;
      readonly text: string;
      readonly headers?: Headers | undefined;
    }
  /** An error told within the stream of an answer. */
  | { readonly kind: "reported"; readonly text: string; readonly code?: string; readonly status?: number | undefined }
  /** No connection. `code` is the system's, such as ECONNREFUSED. */
  | { readonly kind: "unreachable"; readonly code: string }
  | { readonly kind: "timedOut" }
  /** The connection broke, or the answer ended before it was finished. */
  | { readonly kind: "cutOff" }
  /** Something came that is not the answer of such an endpoint. */
  | { readonly kind: "rubbish"; readonly what: string }
  /** The endpoint's content filter let nothing of the answer through. */
  | { readonly kind: "withheld" }
  /** Nothing that is known here: a fault of this program rather than of the endpoint. */
  | { readonly kind: "unexpected"; readonly text: string };

/** Carries a fault that was found in what an endpoint sent. */
export class StreamFault extends Error {
  override readonly name = "StreamFault";
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.kind);
    this.fault = fault;
  }
}

const BROKEN_CONNECTION = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);
const NO_ANSWER_IN_TIME = new Set([
  "ETIMEDOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
]);

/** What a thrown thing means: the SDK's errors, those of `fetch` and of the JSON parser. */
export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof StreamFault) return thrown.fault;
  if (thrown instanceof APIConnectionTimeoutError) return { kind: "timedOut" };
  if (thrown instanceof APIConnectionError) return connectionFault(thrown);
  if (thrown instanceof APIError) return toldFault(thrown);
  if (thrown instanceof SyntaxError) return { kind: "rubbish", what: "an event that is not JSON" };
  const code = systemCode(thrown);
  if (code !== "" && NO_ANSWER_IN_TIME.has(code)) return { kind: "timedOut" };
  // What `fetch` throws when the connection closes in the middle of a body.
  if (code !== "" || (thrown instanceof TypeError && thrown.message === "terminated")) return { kind: "cutOff" };
  return { kind: "unexpected", text: thrown instanceof Error ? thrown.message : String(thrown) };
}

function connectionFault(error: APIConnectionError): Fault {
  const code = systemCode(error);
  if (NO_ANSWER_IN_TIME.has(code)) return { kind: "timedOut" };
  if (BROKEN_CONNECTION.has(code)) return { kind: "cutOff" };
  if (causesOf(error).some(({ name }) => name === "HTTPParserError"))
    return { kind: "rubbish", what: "something that is not HTTP" };
  return { kind: "unreachable", code };
}

function toldFault(error: APIError): Fault {
  if (error.status === undefined) return { kind: "unexpected", text: error.message };
  const code = textOf(error.code) || textOf(error.type);
  return { kind: "refused", status: error.status, code, text: toldText(error), headers: error.headers };
}

/** The SDK puts the status before the endpoint's words; here it is told apart. */
function toldText({ error, message, status }: APIError): string {
  if (isRecord(error) && typeof error["message"] === "string") return error["message"];
  if (typeof error === "string") return error;
  if (isRecord(error) && Object.keys(error).length === 0) return "";
  const told = message.replace(new RegExp(`^${status} `), "");
  return told === "status code (no body)" ? "" : told;
}

/** The error that an event of a stream tells, if it tells one. vLLM marks it by its `object`, and puts its text beside that. */
export function reportedIn(event: object): Fault | undefined {
  if ("error" in event && event.error) return reported(event.error);
  return "object" in event && event.object === "error" ? reported(event) : undefined;
}

/** An error as an endpoint tells it within a stream: an object with a text and a code, or the text alone (Ollama). */
export function reported(error: unknown): Fault {
  if (!isRecord(error)) return { kind: "reported", text: textOf(error) };
  // OpenRouter gives the status of the provider behind it as the code.
  const status = Number(error["code"]);
  return {
    kind: "reported",
    code: textOf(error["code"]) || textOf(error["type"]),
    text: textOf(error["message"]),
    status: status >= 400 && status < 600 ? status : undefined,
  };
}

/** The system's code of the first error down the chain of causes that has one. */
function systemCode(thrown: unknown): string {
  for (const error of causesOf(thrown)) {
    if ("code" in error && typeof error.code === "string" && error.code !== "") return error.code;
  }
  return "";
}

function causesOf(thrown: unknown): Error[] {
  const chain: Error[] = [];
  for (let error = thrown; error instanceof Error && chain.length < 6; error = error.cause) chain.push(error);
  return chain;
}
/** The fault of a stream in which there was no event at all. The header is the endpoint's own text: only what is known is repeated. */

export function noEvents({ contentType }: StreamEnd): StreamFault {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  return new StreamFault({ kind: "rubbish", what: KINDS[type] ?? "something that is not a stream of events" });
}
/** The fault of an event that is not even an object. */

export const noPart = (): StreamFault =>
  new StreamFault({ kind: "rubbish", what: "an event that is no part of an answer" });
export const KINDS: Readonly<Record<string, string>> = {
  "text/html": "a web page instead of an answer",
  "application/json": "JSON instead of a stream of events",
  "text/event-stream": "an empty stream",
};
