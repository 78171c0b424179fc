/** Reads the source of a regular expression by code points. */
export class SourceReader {
  readonly #chars: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#chars = [...source];
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#chars.length;
  }

  /** The next characters, without reading them; fewer at the end. */
  peek(count = 1): string {
    return this.#chars.slice(this.#at, this.#at + count).join("");
  }

  /** Reads one character; empty at the end. */
  next(): string {
    return this.#chars[this.#at++] ?? "";
  }

  /** Reads a text if it is next. */
  take(text: string): boolean {
    const length = [...text].length;
    if (this.peek(length) !== text) return false;
    this.#at += length;
    return true;
  }

  /** Reads the text that an expression starting with `^` finds within the next `limit` characters. */
  match(pattern: RegExp, limit: number): RegExpExecArray | undefined {
    const found = pattern.exec(this.peek(limit));
    if (found === null) return undefined;
    this.#at += [...found[0]].length;
    return found;
  }
}
