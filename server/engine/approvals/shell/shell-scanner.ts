/**
 * Reads a script character by character, joining lines at a backslash before a newline as a shell does outside single
 * quotes.
 */
export class ShellScanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The next character, "" at the end. */
  peek(): string {
    this.#joinLines();
    return this.text[this.at] ?? "";
  }

  next(): string {
    const char = this.peek();
    this.at += char.length;
    return char;
  }

  /** The next character without joining lines. */
  raw(): string {
    const char = this.text[this.at] ?? "";
    this.at += char.length;
    return char;
  }

  /** Consumes `expected` when it comes next, and returns whether it did. */
  take(expected: string): boolean {
    const start = this.at;
    for (const char of expected) {
      if (this.peek() !== char) {
        this.at = start;
        return false;
      }
      this.at++;
    }
    return true;
  }

  /**
   * Consumes everything through `end`, and returns what came before `end`; undefined without an `end`. Lines are not joined.
   */
  until(end: string): string | undefined {
    const found = this.text.indexOf(end, this.at);
    if (found === -1) return undefined;
    const text = this.text.slice(this.at, found);
    this.at = found + end.length;
    return text;
  }

  #joinLines(): void {
    while (this.text.startsWith("\\\n", this.at)) this.at += 2;
  }
}
