import { createParser } from "eventsource-parser";
import { StreamError } from "../failures/failure.ts";

/** The longest unfinished event that is buffered, in characters, so that an endpoint cannot exhaust memory. */
const LONGEST_EVENT = 64 * 1024 * 1024;

/**
 * The data of the server-sent events of a body (WHATWG HTML, 9.2.6), in batches as they arrive. Names, ids and retry
 * times are ignored, and so are an event without data and an unfinished event at the end of the body.
 *
 * @throws StreamError for an event that never ends; and whatever reading the body throws.
 */
export async function* eventsOf(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new TextDecoder();
  let events: string[] = [];
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent({ data }) {
      if (data !== "") events.push(data);
    },
    onError({ type }) {
      if (type === "max-buffer-size-exceeded")
        throw new StreamError({ kind: "malformed", what: "an event that never ends" });
    },
  });
  for await (const bytes of body) {
    events = [];
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield events;
  }
}
