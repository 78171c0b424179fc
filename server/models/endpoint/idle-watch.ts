import type { Timers } from "../../engine/timers.ts";

/**
 * Ends one attempt of a request: `signal` is aborted with the given one, and when nothing has been reported for `ms`
 * milliseconds. To be disposed when the attempt is over.
 */
export class IdleWatch implements Disposable {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #ms: number;
  readonly #timers: Timers;
  readonly #abort = (): void => this.#controller.abort();
  #last: number;
  #isIdle = false;
  #cancel: () => void;

  constructor(outer: AbortSignal, ms: number, timers: Timers) {
    this.#outer = outer;
    this.#ms = ms;
    this.#timers = timers;
    this.#last = timers.now();
    this.#cancel = timers.after(ms, () => this.#check());
    outer.addEventListener("abort", this.#abort, { once: true });
    if (outer.aborted) this.#abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True once nothing has been reported for too long. */
  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** Reports that something has arrived. */
  report(): void {
    this.#last = this.#timers.now();
  }

  [Symbol.dispose](): void {
    this.#cancel();
    this.#outer.removeEventListener("abort", this.#abort);
  }

  /** A report does not restart the timer: if it fires too early, it waits for the rest. */
  #check(): void {
    const left = this.#last + this.#ms - this.#timers.now();
    this.#isIdle = left <= 0;
    if (this.#isIdle) this.#controller.abort();
    else this.#cancel = this.#timers.after(left, () => this.#check());
  }
}
