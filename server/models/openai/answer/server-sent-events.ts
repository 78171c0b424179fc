import { createParser } from "eventsource-parser";
import { StreamError } from "../failures/failure.ts";

/** The longest text without a complete event that is read, in characters, so that an endpoint cannot exhaust memory. */
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
  let unfinished = 0;
  const parser = createParser({
    onEvent({ data }) {
      unfinished = 0;
      if (data !== "") events.push(data);
    },
  });
  for await (const bytes of body) {
    events = [];
    const text = decoder.decode(bytes, { stream: true });
    unfinished += text.length;
    parser.feed(text);
    if (unfinished > LONGEST_EVENT) throw new StreamError({ kind: "malformed", what: "an event that never ends" });
    yield events;
  }
}
