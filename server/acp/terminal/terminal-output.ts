/** The most that is kept of the output of one terminal, in bytes, whatever its agent asks for. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;

/** The end of a command's output: at most so many bytes, in whole characters. */
export class TerminalOutput {
  readonly #limit: number;
  #text = "";
  #bytes = 0;
  #truncated = false;

  constructor(limit: number = MAX_OUTPUT_BYTES) {
    this.#limit = Math.max(0, Math.min(limit, MAX_OUTPUT_BYTES));
  }

  push(text: string): void {
    this.#text += text;
    this.#bytes += Buffer.byteLength(text);
    // Not with each piece, as cutting copies all of it.
    if (this.#bytes > 2 * MAX_OUTPUT_BYTES) this.#cut();
  }

  read(): { readonly output: string; readonly truncated: boolean } {
    this.#cut();
    return { output: this.#text, truncated: this.#truncated };
  }

  #cut(): void {
    if (this.#bytes <= this.#limit) return;
    const bytes = Buffer.from(this.#text);
    let start = bytes.length - this.#limit;
    while (start < bytes.length && isInCharacter(bytes[start] ?? 0)) start += 1;
    this.#text = bytes.toString("utf8", start);
    this.#bytes = bytes.length - start;
    this.#truncated = true;
  }
}

/** True for a byte that is not the first of its character. */
const isInCharacter = (byte: number): boolean => (byte & 0xc0) === 0x80;
