import type { Readable } from "node:stream";

/** How many messages a client may send at once, and each second. */
const BURST = 2_000;
const PER_SECOND = 500;

/** Reads a client that sends too many messages more slowly: none is dropped, and the others do not wait. */
export class MessageRate {
  readonly #stream: Readable;
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #at = performance.now();
  #resume: ReturnType<typeof setTimeout> | undefined;

  constructor(stream: Readable, { burst = BURST, perSecond = PER_SECOND } = {}) {
    this.#stream = stream;
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
  }

  /** A message has come. */
  note(): void {
    const now = performance.now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1_000) * this.#perSecond) - 1;
    this.#at = now;
    if (this.#left >= 0 || this.#resume !== undefined) return;
    this.#stream.pause();
    const wait = (-this.#left / this.#perSecond) * 1_000;
    this.#resume = setTimeout(() => {
      this.#resume = undefined;
      this.#stream.resume();
    }, wait);
  }

  /** The stream has closed. */
  [Symbol.dispose](): void {
    clearTimeout(this.#resume);
  }
}
