/**
 * Delivers queued values in one batch, at most once a frame. A hidden page has no frames: there values are delivered
 * immediately, so that announcements are in time and the page is up to date when it is shown again.
 */
export class FrameQueue<T> {
  readonly #deliver: (batch: readonly T[]) => void;
  #batch: T[] = [];
  #scheduled = false;

  constructor(deliver: (batch: readonly T[]) => void) {
    this.#deliver = deliver;
  }

  push(...values: readonly T[]): void {
    this.#batch.push(...values);
    if (document.hidden) this.flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      requestAnimationFrame(() => {
        this.#scheduled = false;
        this.flush();
      });
    }
  }

  /** Delivers what is queued now; call it before handling anything that must come later. */
  flush(): void {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#deliver(batch);
  }
}
