/**
 * Hands what was queued on in one go, at most once a frame. A hidden page gets no frames, so there it hands on at once: what
 * a screen reader is told and what is shown on return are then up to date.
 */
export class FrameQueue<T> {
  readonly #handOn: (batch: readonly T[]) => void;
  #batch: T[] = [];
  #scheduled = false;

  constructor(handOn: (batch: readonly T[]) => void) {
    this.#handOn = handOn;
  }

  push(...things: readonly T[]): void {
    this.#batch.push(...things);
    if (document.hidden) this.flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      requestAnimationFrame(() => {
        this.#scheduled = false;
        this.flush();
      });
    }
  }

  /** Hands on what is queued now: before anything that must come after it. */
  flush(): void {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#handOn(batch);
  }
}
