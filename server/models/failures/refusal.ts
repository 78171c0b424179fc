import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { LIMITS } from "../../../shared/limits.ts";
import { parseJson } from "../../../shared/parse-json.ts";
import { stringOrEmpty } from "../fields.ts";
import type { Answer } from "../network/send.ts";
import type { Failure } from "./failure.ts";

/** How much of an endpoint's error is read, in bytes. */
export const MOST_BYTES = 64 * 1024;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The failure that an answer with an error status, or with a redirect that is not followed, reports in its body. */
export function refusalOf({ status, headers }: Omit<Answer, "body">, body: string): Failure {
  if (REDIRECTS.has(status)) return { kind: "redirected", status, to: httpOrigin(headers.location) };
  const { code, text, retryAfter } = reportIn(body);
  const wait = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  return { kind: "refused", status, code, text, headers: { ...wait, ...headers } };
}

/** The origin of an address outside the endpoint's own: one without an origin is relative to the endpoint. */
function httpOrigin(location: string | undefined): string | undefined {
  const url = URL.parse(location ?? "");
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

/** Endpoints put the error into `error`, or their JSON is the error itself (vLLM, FastAPI); others send a text. */
function reportIn(body: string): { readonly code: string; readonly text: string; readonly retryAfter?: string } {
  const json = jsonOf(body);
  const error = isRecord(json) ? (json["error"] ?? json) : (json ?? body);
  if (typeof error === "string") return { code: "", text: error };
  if (!isRecord(error)) return { code: "", text: JSON.stringify(error) };
  const code = stringOrEmpty(error["code"]) || stringOrEmpty(error["type"]);
  return { code, text: textOf(error), ...retryAfterIn(error["details"]) };
}

/** Google tells the wait before a retry in the error (google.rpc.RetryInfo), for example `34.5s`. */
function retryAfterIn(details: unknown): { readonly retryAfter?: string } {
  if (!Array.isArray(details)) return {};
  const [delay] = details
    .map((detail) => stringOrEmpty(isRecord(detail) ? detail["retryDelay"] : ""))
    .filter(isSeconds);
  return delay === undefined ? {} : { retryAfter: delay };
}

const isSeconds = (text: string): boolean => /^\d{1,9}(\.\d{1,9})?s$/.test(text);

function textOf(error: JsonRecord): string {
  const { message } = error;
  if (typeof message === "string") return message;
  return Object.keys(error).length === 0 ? "" : JSON.stringify(message || error);
}

/** The value of a text that is JSON; undefined for any other. What is nested too deep to be shown is a sentence. */
function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    return error instanceof RangeError ? `It is nested more than ${LIMITS.value.depth} levels deep.` : undefined;
  }
}
