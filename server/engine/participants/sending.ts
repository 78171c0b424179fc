import type { Turn } from "./participant.ts";

/**
 * One request to a model: `signal` is aborted with the turn's, and by an interrupt that lets the request finish while it
 * still waits to be sent, as nothing starts after that.
 */
export class Sending implements Disposable {
  readonly #turn: Pick<Turn, "signal" | "soft">;
  readonly #unsent = new AbortController();
  readonly signal: AbortSignal;
  readonly #stop = (): void => {
    if (this.#isWaiting) this.#unsent.abort();
  };
  #isWaiting = false;

  constructor(turn: Pick<Turn, "signal" | "soft">) {
    this.#turn = turn;
    this.signal = AbortSignal.any([turn.signal, this.#unsent.signal]);
    turn.soft.addEventListener("abort", this.#stop);
  }

  /** Whether the request waits to be sent. */
  set isWaiting(isWaiting: boolean) {
    this.#isWaiting = isWaiting;
    if (this.#turn.soft.aborted) this.#stop();
  }

  [Symbol.dispose](): void {
    this.#turn.soft.removeEventListener("abort", this.#stop);
  }
}
