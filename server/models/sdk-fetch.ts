import type { EventSourceMessage } from "eventsource-parser";
import { messagesOf } from "./answer/server-sent-events.ts";
import type { ApiRoute } from "./api.ts";
import type { AnswerLimits } from "./endpoint/answer-limits.ts";
import { post } from "./post.ts";

/** How the requests of a provider's SDK are sent. */
interface SdkRoute extends ApiRoute {
  /** The headers of the SDK that are sent; others tell the endpoint about this machine. */
  readonly headers: readonly string[];
  /** Whether the SDK reads the names of events, or expects none. */
  readonly hasNames: boolean;
}

/**
 * A `fetch` for a provider's SDK that sends its requests as Gavel sends its own: through the user's proxy, with the
 * certificates that are trusted, to the model's endpoint alone, and with limits on what is read. Events are passed on whole,
 * so that the SDK never searches through the start of an endless one. `onAnswer` is told the type of an answer that is read.
 *
 * It rejects with a StreamError for an answer that is not a success.
 */
export function sdkFetch(
  { endpoint, limits, send, headers: sent, hasNames }: SdkRoute,
  onAnswer: (contentType: string | undefined) => void,
): typeof fetch {
  return async (input, init = {}) => {
    const { method = "GET", body, signal } = init;
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== endpoint.origin || method !== "POST" || typeof body !== "string" || !signal)
      throw new Error("The SDK sent an unexpected request.");
    for (const [name, value] of Object.entries(endpoint.query)) url.searchParams.set(name, value);
    const given = new Headers(init.headers);
    const headers: Record<string, string> = { "user-agent": "Gavel" };
    for (const name of sent) {
      const value = given.get(name);
      if (value !== null) headers[name] = value;
    }
    const answer = await post(url, { headers, body, signal }, send);
    const type = answer.headers["content-type"];
    onAnswer(type);
    return new Response(streamOf(wholeEvents(answer.body, limits, hasNames)), {
      headers: type === undefined ? {} : { "content-type": type },
    });
  };
}

function streamOf(chunks: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await chunks.return();
    },
  });
}

async function* wholeEvents(
  body: AsyncIterable<Uint8Array>,
  limits: AnswerLimits,
  hasNames: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const messages of messagesOf(body, limits)) {
    if (messages.length > 0) yield encoder.encode(messages.map((message) => eventText(message, hasNames)).join(""));
  }
}

/** Data is JSON, in which lines end only where there may be a space. An event without a name is a "message" to browsers. */
const eventText = ({ event = "message", data }: EventSourceMessage, hasName: boolean): string =>
  `${hasName ? `event: ${event}\n` : ""}data: ${data.replaceAll("\n", " ")}\n\n`;
