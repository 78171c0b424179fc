/** Limits automatic restarts, so that a host that exits at once is not restarted forever. */
export class RestartPolicy {
  readonly #limit: number;
  readonly #windowMs: number;
  #restarts: readonly number[] = [];

  /** At most `limit` restarts within any `windowMs` milliseconds. */
  constructor(limit = 5, windowMs = 3 * 60_000) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Whether a restart is allowed at `now` (milliseconds on the monotonic clock). If so, it counts. */
  allows(now: number): boolean {
    this.#restarts = this.#restarts.filter((at) => now - at < this.#windowMs);
    if (this.#restarts.length >= this.#limit) return false;
    this.#restarts = [...this.#restarts, now];
    return true;
  }

  /** Starts counting again, after the user has restarted the host. */
  reset(): void {
    this.#restarts = [];
  }
}
