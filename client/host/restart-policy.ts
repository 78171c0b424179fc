/** How often the host may be started again by itself: a host that dies at once each time must not be started for ever. */
export class RestartPolicy {
  readonly #limit: number;
  readonly #windowMs: number;
  #restarts: readonly number[] = [];

  /** At most `limit` restarts within any `windowMs` milliseconds. */
  constructor(limit = 5, windowMs = 3 * 60_000) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Whether one more restart is allowed at `now` (milliseconds); if it is, it is counted. */
  allows(now: number): boolean {
    this.#restarts = this.#restarts.filter((at) => now - at < this.#windowMs);
    if (this.#restarts.length >= this.#limit) return false;
    this.#restarts = [...this.#restarts, now];
    return true;
  }

  /** The user asked for a restart: counting begins anew. */
  reset(): void {
    this.#restarts = [];
  }
}
