/** Reads a text character by character. A backslash before a newline joins two lines, as a shell has it outside single quotes. */
export class ShellScanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    this.#joinLines();
    return this.at >= this.text.length;
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

  /** The next character as it stands: the one after a backslash is not joined with what follows it. */
  raw(): string {
    const char = this.text[this.at] ?? "";
    this.at += char.length;
    return char;
  }

  /** Takes `expected` when it comes next. */
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

  /** Takes all characters up to `end`, which is taken too and left out; undefined when there is no `end`. Nothing is joined. */
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
