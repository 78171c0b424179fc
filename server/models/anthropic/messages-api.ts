import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages/messages";
import { isRecord } from "../../../shared/json-record.ts";
import { batches } from "../answer/batches.ts";
import { reportedFailure, StreamError } from "../failures/failure.ts";

/** What the SDK is given: it reads no environment, file or setting itself. */
export interface MessagesClient {
  readonly baseUrl: string;
  /** Undefined for an endpoint that is called without a key. */
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
}

/** The SDK's own time limit would be ten minutes for any answer; that of Gavel depends on what arrives. */
const NO_TIMEOUT = 2 ** 31 - 1;

/**
 * The events of an answer of Anthropic's Messages API, as its SDK reads them.
 *
 * @throws StreamError for an error in the stream; and whatever `fetch` throws.
 */
export async function* messageEvents(
  { baseUrl, key, fetch }: MessagesClient,
  body: MessageCreateParamsStreaming,
  signal: AbortSignal,
): AsyncGenerator<readonly unknown[], void, undefined> {
  const { Anthropic, APIError } = await import("./sdk.ts");
  const client = new Anthropic({
    baseURL: baseUrl,
    // Without any key, the SDK would look for one in files and in the environment.
    apiKey: key ?? "none",
    fetch,
    maxRetries: 0,
    timeout: NO_TIMEOUT,
    // What the SDK logs goes to stdout, which belongs to the protocol.
    logLevel: "off",
    openTelemetry: false,
  });
  // Those of a request replace those that the SDK takes from the environment's ANTHROPIC_CUSTOM_HEADERS.
  const headers = { Authorization: key === undefined ? null : `Bearer ${key}` };
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  try {
    yield* batches(await client.messages.create(body, { signal: either, headers }), () => stop.abort());
  } catch (error) {
    throw cause(error, APIError);
  }
}

/** The SDK's errors hold the endpoint's headers and text, which may hold the key: only what is read from them is kept. */
function cause(error: unknown, APIError: typeof import("./sdk.ts").APIError): unknown {
  for (let inner = error; inner instanceof Error; inner = inner.cause) if (inner instanceof StreamError) return inner;
  if (!(error instanceof APIError)) return error;
  const { error: body } = error;
  return new StreamError(reportedFailure(isRecord(body) ? (body["error"] ?? body) : body));
}
