/** How many characters are kept of the start and of the end of a command's output. */
export const KEPT_PER_END = 32 * 1024;

/** Keeps the start and the end of an output of any length in bounded memory. */
export class OutputWindow {
  #head = "";
  #tail = "";
  #length = 0;

  /** How many characters the output had so far, also those that are not kept. */
  get length(): number {
    return this.#length;
  }

  push(text: string): void {
    this.#length += text.length;
    const room = KEPT_PER_END - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail = (this.#tail + text.slice(room)).slice(-KEPT_PER_END);
  }

  /** What is kept from that character on, with a note of how much was left out. */
  text(from = 0): string {
    const tailStart = this.#length - this.#tail.length;
    const head = this.#head.slice(from);
    const tail = this.#tail.slice(Math.max(0, from - tailStart));
    const left = Math.max(0, tailStart - Math.max(from, this.#head.length));
    if (left === 0) return head + tail;
    const amount = left < 1024 ? `${left} characters` : `${Math.round(left / 1024)} KB`;
    return `${head}\n[… ${amount} of output left out here …]\n${tail}`;
  }
}
