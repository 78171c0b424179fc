import type { TextReader } from "../pattern/text-search.ts";
import type { TextCondition } from "../pattern/text-test.ts";
import { workOfTurn } from "../pattern/work.ts";

/**
 * Tests a text that comes in pieces, each character once. A match that more text could undo (`\bno\b` matches "no", but not
 * "nothing") counts once more text follows. Where that takes long it falls behind, and goes on with a later piece, or gives
 * up: the complete text is tested for itself (`TextTest.matching`).
 */
export class TextScan {
  readonly #readers: readonly LateReader[];

  constructor({ contains, pattern }: TextCondition) {
    this.#readers = [contains?.reader(), pattern?.scan()].flatMap((reader) =>
      reader === undefined ? [] : new LateReader(reader),
    );
  }

  /** True once the text matches the test. */
  get isMatched(): boolean {
    return this.#readers.every(({ isMatched }) => isMatched);
  }

  /** Adds the next piece of the text. */
  add(delta: string): void {
    for (const reader of this.#readers) reader.add(delta);
  }
}

/** How many characters wait to be read at most. A string that grows by pieces takes much more memory than its characters. */
const MAX_UNREAD = 10_000;

/** Reads with the work that is left in the event loop's turn, and keeps what it has not read. */
class LateReader {
  readonly #reader: TextReader;
  #unread: string | undefined = "";

  constructor(reader: TextReader) {
    this.#reader = reader;
  }

  get isMatched(): boolean {
    return this.#reader.isMatched;
  }

  add(delta: string): void {
    if (this.isMatched || this.#unread === undefined) return;
    const text = this.#unread + delta;
    const unread = text.slice(this.#reader.read(text, 0, workOfTurn()));
    this.#unread = unread.length > MAX_UNREAD ? undefined : unread;
  }
}
