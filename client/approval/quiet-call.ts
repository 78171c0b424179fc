/**
 * Calls a function once after several requests: when there was none for a while, and never while its last call is under way.
 */
export class QuietCall {
  readonly #act: () => Promise<void>;
  readonly #quietMs: number;
  #timer: NodeJS.Timeout | undefined;
  #acting = false;
  #wanted = false;

  /** @param quietMs how long nothing has been requested when `act` is called, in milliseconds. */
  constructor(act: () => Promise<void>, quietMs: number) {
    this.#act = act;
    this.#quietMs = quietMs;
  }

  request(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#call(), this.#quietMs);
  }

  /** Drops what is requested. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#wanted = false;
  }

  async #call(): Promise<void> {
    this.#wanted = true;
    if (this.#acting) return;
    this.#acting = true;
    try {
      while (this.#wanted) {
        this.#wanted = false;
        await this.#act();
      }
    } finally {
      this.#acting = false;
    }
  }
}
