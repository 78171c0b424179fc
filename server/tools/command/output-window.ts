/** How many characters are kept of the start and of the end of a command's output. */
export const KEPT_PER_END = 32 * 1024;

/** Keeps the start and the end of an output of any length in bounded memory. */
export class OutputWindow {
  #head = "";
  #tail = "";
  #length = 0;

  push(text: string): void {
    this.#length += text.length;
    const room = KEPT_PER_END - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail = (this.#tail + text.slice(room)).slice(-KEPT_PER_END);
  }

  /** Start and end, with a note of how much was left out between them. */
  text(): string {
    const left = this.#length - this.#head.length - this.#tail.length;
    if (left === 0) return this.#head + this.#tail;
    const amount = left < 1024 ? `${left} characters` : `${Math.round(left / 1024)} KB`;
    return `${this.#head}\n[… ${amount} of output left out here …]\n${this.#tail}`;
  }
}
