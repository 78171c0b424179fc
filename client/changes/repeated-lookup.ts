import type { Disposable } from "vscode";

/** Looks something up again when what it depends on changes: once at a time, and once more for what changes meanwhile. */
export class RepeatedLookup implements Disposable {
  readonly #look: () => Promise<void>;
  readonly #together: number;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isStale = false;
  #isDisposed = false;

  /** @param together what changes within this time is looked up once, in milliseconds. */
  constructor(look: () => Promise<void>, together: number) {
    this.#look = look;
    this.#together = together;
  }

  /** Looks it up now. @returns when it is known as it is now; rejects as the lookup does. */
  now(): Promise<void> {
    this.#isStale = true;
    this.#looking ??= this.#untilKnown();
    return this.#looking;
  }

  /** Looks it up in a short while; a lookup that fails is left to the next one. */
  soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.now().catch(() => undefined);
    }, this.#together);
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  async #untilKnown(): Promise<void> {
    try {
      while (this.#isStale && !this.#isDisposed) {
        this.#isStale = false;
        await this.#look();
      }
    } finally {
      this.#looking = undefined;
    }
  }
}
