import type { Work } from "./work.ts";

/** Finds out whether a text that comes in pieces has what is looked for, by reading each character once. */
export interface TextReader {
  /** True once the text so far has it, whatever follows. */
  readonly isMatched: boolean;
  /** Reads `text` from the position `from`, until it is found or the work is used up; returns the position after that. */
  read(text: string, from: number, work: Work): number;
}

/** Up to this length the search of the JavaScript engine is faster, though its time can grow with the part's length. */
const MAX_SHORT = 64;

/** A part to look for in texts. A search takes time in proportion to the text, whatever the part (Knuth, Morris, Pratt). */
export class TextSearch {
  readonly #part: string;
  #borders: Int32Array | undefined;

  constructor(part: string) {
    this.#part = part;
  }

  /** Whether a text has the part. All of it is searched, also if that takes more than the work. */
  isIn(text: string, work: Work = { left: 0 }): boolean {
    work.left -= (text.length * Math.min(this.#part.length, MAX_SHORT)) / MAX_SHORT;
    if (this.#part.length <= MAX_SHORT) return text.includes(this.#part);
    const reader = this.reader();
    reader.read(text, 0, { left: Number.POSITIVE_INFINITY });
    return reader.isMatched;
  }

  reader(): TextReader {
    this.#borders ??= bordersOf(this.#part);
    return new PartReader(this.#part, this.#borders);
  }
}

class PartReader implements TextReader {
  readonly #part: string;
  readonly #borders: Int32Array;
  /** How many characters of the part have been read last. */
  #known = 0;

  constructor(part: string, borders: Int32Array) {
    this.#part = part;
    this.#borders = borders;
  }

  get isMatched(): boolean {
    return this.#known === this.#part.length;
  }

  read(text: string, from: number, work: Work): number {
    const part = this.#part;
    let known = this.#known;
    let at = from;
    for (; at < text.length && work.left > 0 && known < part.length; at++) {
      work.left -= 1;
      const unit = text.charCodeAt(at);
      while (known > 0 && part.charCodeAt(known) !== unit) known = this.#borders[known - 1] ?? 0;
      if (part.charCodeAt(known) === unit) known += 1;
    }
    this.#known = known;
    return at;
  }
}

/** For each beginning of the part: the length of its longest proper beginning that is also its end. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  for (let at = 1, length = 0; at < part.length; at++) {
    while (length > 0 && part.charCodeAt(length) !== part.charCodeAt(at)) length = borders[length - 1] ?? 0;
    if (part.charCodeAt(length) === part.charCodeAt(at)) length += 1;
    borders[at] = length;
  }
  return borders;
}
