import type { GenerateContentParameters } from "@google/genai/web";
import { isRecord } from "../../../shared/json-record.ts";
import { parseJson } from "../../../shared/parse-json.ts";
import { batches } from "../answer/batches.ts";
import { reportedFailure, StreamError } from "../failures/failure.ts";

/** What the SDK is given. Its version for browsers reads no environment, file or setting itself. */
interface ContentClient {
  readonly baseUrl: string;
  readonly apiVersion?: string;
  /** Undefined for an endpoint that is called without a key. */
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
}

/**
 * The chunks of an answer of the Gemini API, as its SDK reads them. The SDK retries and continues nothing: it would ask
 * again for as long as the endpoint wants it to, each time with new limits.
 *
 * @throws StreamError for an error in the stream; and whatever `fetch` throws.
 */
export async function* contentEvents(
  { key, ...httpOptions }: ContentClient,
  request: GenerateContentParameters,
  signal: AbortSignal,
): AsyncGenerator<readonly unknown[], void, undefined> {
  const { ApiError, GoogleGenAI } = await import("./sdk.ts");
  // Without a key the SDK sends nothing, so it gets a word in its place, whose header is not sent.
  const client = new GoogleGenAI({ apiKey: key ?? "none", vertexai: false, httpOptions });
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  try {
    const config = { ...request.config, abortSignal: either, automaticContinuation: false };
    yield* batches(await client.models.generateContentStream({ ...request, config }), () => stop.abort());
  } catch (error) {
    throw error instanceof ApiError ? new StreamError(reportedFailure(reportIn(error.message))) : error;
  }
}

/** What the endpoint reported: the SDK has put it as JSON into its error's message, after words of its own. */
function reportIn(message: string): unknown {
  try {
    const report = parseJson(message.slice(Math.max(0, message.indexOf("{"))));
    return isRecord(report) ? (report["error"] ?? report) : message;
  } catch {
    return message;
  }
}
