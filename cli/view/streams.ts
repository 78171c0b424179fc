import { shownText } from "../text/shown-text.ts";
import { wrap } from "../text/wrap.ts";

/** A text that is being written. */
interface Stream {
  readonly path: string;
  readonly isThought: boolean;
  /** What is not printed yet. */
  rest: string;
  hasStarted: boolean;
}

/** What a stream prints: complete lines, and the line that is being written. */
export interface StreamPart {
  readonly path: string;
  readonly isThought: boolean;
  /** True for the first part of a stream that is shown, which needs a name above it. */
  readonly isFirst: boolean;
  readonly lines: readonly string[];
}

/**
 * The texts that participants write at the same time. One is shown as it is written; the others wait, and are shown one
 * after the other when it is complete, so that no two are mixed.
 */
export class Streams {
  readonly #streams = new Map<string, Stream>();

  /** The line that is being written, and whether it is a thought; undefined if nothing is. */
  open(columns: number): { readonly text: string; readonly isThought: boolean } | undefined {
    const front = this.#front();
    if (front === undefined || !front.hasStarted) return undefined;
    return { text: linesOf(front.rest, columns).at(-1) ?? "", isThought: front.isThought };
  }

  has(id: string): boolean {
    return this.#streams.has(id);
  }

  /** The ids of the streams of that participant. */
  of(path: string, isThought: boolean): readonly string[] {
    return [...this.#streams].flatMap(([id, one]) => (one.path === path && one.isThought === isThought ? [id] : []));
  }

  /** Who writes. */
  paths(): readonly string[] {
    return [...this.#streams.values()].map(({ path }) => path);
  }

  /** Adds to a stream. Returns what can be printed now. */
  add(id: string, { path, isThought, delta }: { path: string; isThought: boolean; delta: string }, columns: number) {
    const stream = this.#streams.get(id) ?? { path, isThought, rest: "", hasStarted: false };
    this.#streams.set(id, stream);
    stream.rest += delta;
    return stream === this.#front() ? this.#flow(stream, columns, false) : [];
  }

  /** A stream is complete. Returns what can be printed now: all of it, and what waited for it. */
  end(id: string, columns: number): readonly StreamPart[] {
    const stream = this.#streams.get(id);
    if (stream === undefined) return [];
    const wasFront = stream === this.#front();
    this.#streams.delete(id);
    const own = this.#flow(stream, columns, true);
    const next = this.#front();
    return wasFront && next !== undefined ? [...own, ...this.#flow(next, columns, false)] : own;
  }

  #front(): Stream | undefined {
    return this.#streams.values().next().value;
  }

  #flow(stream: Stream, columns: number, isEnd: boolean): readonly StreamPart[] {
    const { path, isThought, rest } = stream;
    const text = stream.hasStarted ? rest : rest.trimStart();
    // Half a character, and white space, which may be the text's end, wait for what follows.
    const held = isEnd ? 0 : (/(?:[\uD800-\uDBFF]|\s+)$/.exec(text)?.[0].length ?? 0);
    const ready = text.slice(0, text.length - held);
    if (ready === "" && !stream.hasStarted) return [];
    const lines = linesOf(isEnd ? ready.trimEnd() : ready, columns);
    const complete = isEnd ? lines : lines.slice(0, -1);
    const isFirst = !stream.hasStarted;
    stream.hasStarted = true;
    stream.rest = (isEnd ? "" : (lines.at(-1) ?? "")) + text.slice(text.length - held);
    return isFirst || complete.length > 0 ? [{ path, isThought, isFirst, lines: complete }] : [];
  }
}

/** Written out once, so that what stays is not written out again. */
const linesOf = (text: string, columns: number): readonly string[] => wrap(shownText(text), columns);
