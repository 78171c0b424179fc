import { createParser } from "eventsource-parser";
import type { AnswerLimits } from "../endpoint/answer-limits.ts";
import { exceeded } from "../failures/failure.ts";

/**
 * The data of the server-sent events of a body (WHATWG HTML, 9.2.6), in batches as they arrive. Names, ids and retry
 * times are ignored, and so are an event without data and an unfinished event at the end of the body.
 *
 * @throws StreamError for a body beyond the limits, so that an endpoint cannot exhaust memory; and whatever reading the
 *   body throws.
 */
export async function* eventsOf(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { eventBytes, answerBytes }: AnswerLimits,
): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new TextDecoder();
  let events: string[] = [];
  let sinceEvent = 0;
  let total = 0;
  const parser = createParser({
    onEvent({ data }) {
      if (data === "") return;
      sinceEvent = 0;
      events.push(data);
    },
  });
  for await (const bytes of body) {
    events = [];
    sinceEvent += bytes.length;
    total += bytes.length;
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (sinceEvent > eventBytes) throw exceeded("eventBytes", `sent ${inBytes(eventBytes)} without an event`);
    if (total > answerBytes) throw exceeded("answerBytes", `sent an answer of more than ${inBytes(answerBytes)}`);
    yield events;
  }
}

const inBytes = (count: number): string => `${count.toLocaleString("en-US")} bytes`;
