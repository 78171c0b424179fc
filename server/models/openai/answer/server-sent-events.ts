import { StreamError } from "../failures/failure.ts";

/**
 * The longest line that is buffered, in characters, so that an endpoint cannot exhaust memory with a line that never
 * ends.
 */
const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * The data of the server-sent events of a body (WHATWG HTML, 9.2.6), in batches as they arrive. Names, ids and retry times
 * are ignored, and so is an unfinished event at the end of the body.
 *
 * @throws StreamError for a line that is too long; and whatever reading the body throws.
 */
export async function* eventsOf(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new TextDecoder();
  const reader = new EventReader();
  for await (const bytes of body) yield reader.add(decoder.decode(bytes, { stream: true }));
}

class EventReader {
  #line = "";
  #data: string | undefined;
  #endsWithCarriageReturn = false;

  /** The events that this piece of text completes. */
  add(text: string): readonly string[] {
    if (text === "") return [];
    // CR LF may be split between two pieces.
    const piece = this.#endsWithCarriageReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endsWithCarriageReturn = text.endsWith("\r");
    const lines = piece.split(/\r\n|\n|\r/);
    const last = lines.pop() ?? "";
    const events: string[] = [];
    for (const line of lines) {
      const event = this.#endLine(this.#line + line);
      this.#line = "";
      if (event !== undefined) events.push(event);
    }
    this.#line += last;
    if (this.#line.length > LONGEST_LINE)
      throw new StreamError({ kind: "malformed", what: "an event that never ends" });
    return events;
  }

  /** Handles a complete line; returns the data of the event that it ends, or undefined when it ends none with data. */
  #endLine(line: string): string | undefined {
    if (line === "") {
      const data = this.#data;
      this.#data = undefined;
      return data === "" ? undefined : data;
    }
    if (!line.startsWith("data:")) return undefined;
    const value = line.startsWith("data: ") ? line.slice(6) : line.slice(5);
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    return undefined;
  }
}
