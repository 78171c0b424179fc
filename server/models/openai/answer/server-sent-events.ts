import { StreamFault } from "../failures/failure.ts";

/** The longest line that is waited for, in characters: an endpoint must not fill the memory with one that never ends. */
const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * The data of the server-sent events of a body (WHATWG HTML, 9.2.6), as many at a time as have arrived together. Names, ids
 * and retry times are passed over, and so is an event that the body's end cuts off.
 *
 * @throws StreamFault for a line that is too long to be one; and what reading the body throws.
 */
export async function* eventsOf(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new TextDecoder();
  const reader = new EventReader();
  for await (const bytes of body) yield reader.take(decoder.decode(bytes, { stream: true }));
}

class EventReader {
  #line = "";
  #data: string | undefined;
  #endedWithReturn = false;

  /** The events that this piece of the text ends. */
  take(text: string): readonly string[] {
    if (text === "") return [];
    // A line end of two characters may be split between pieces.
    const piece = this.#endedWithReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endedWithReturn = text.endsWith("\r");
    const lines = piece.split(/\r\n|\n|\r/);
    const last = lines.pop() ?? "";
    const events: string[] = [];
    for (const line of lines) {
      const event = this.#end(this.#line + line);
      this.#line = "";
      if (event !== undefined) events.push(event);
    }
    this.#line += last;
    if (this.#line.length > LONGEST_LINE) throw new StreamFault({ kind: "rubbish", what: "an event without an end" });
    return events;
  }

  /** Takes a whole line; returns the data of the event that it ends, if it ends one that has any. */
  #end(line: string): string | undefined {
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
