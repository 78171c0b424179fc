import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { AnswerLimits } from "../endpoint/answer-limits.ts";
import { exceeded } from "../failures/failure.ts";

type Body = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The data of the events of a body: those of {@link messagesOf} without their names. */
export const eventsOf = (body: Body, limits: AnswerLimits): AsyncGenerator<readonly string[], void, undefined> =>
  read(body, limits, ({ data }) => data);

/**
 * The server-sent events of a body (WHATWG HTML, 9.2.6), in batches as they arrive. Ids and retry times are ignored, and so
 * are an event without data and an unfinished event at the end of the body.
 *
 * @throws StreamError for a body beyond the limits, so that an endpoint cannot exhaust memory; and whatever reading the
 *   body throws.
 */
export const messagesOf = (
  body: Body,
  limits: AnswerLimits,
): AsyncGenerator<readonly EventSourceMessage[], void, undefined> => read(body, limits, (message) => message);

async function* read<T>(
  body: Body,
  { eventBytes, answerBytes }: AnswerLimits,
  pick: (message: EventSourceMessage) => T,
): AsyncGenerator<readonly T[], void, undefined> {
  const decoder = new TextDecoder();
  let events: T[] = [];
  let sinceEvent = 0;
  let total = 0;
  const parser = createParser({
    onEvent(message) {
      if (message.data === "") return;
      sinceEvent = 0;
      events.push(pick(message));
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
