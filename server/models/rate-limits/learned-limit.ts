/** What was known when a request was sent. */
export interface SentAt {
  readonly epoch: number;
  readonly ended: number;
}

/** How long the limit stays before one more is tried, in milliseconds: at first, and at most. */
const FIRST_PATIENCE = 15_000;
const MOST_PATIENCE = 300_000;

/**
 * How many requests an endpoint takes at once, learned from those that it refuses: any number until the first refusal. Of
 * the requests that were in flight together, those that were not refused are what it takes. It grows again one by one:
 * with each answer where everything had been refused, and else after a time that doubles with each refusal (additive
 * increase, multiplicative patience).
 */
export class LearnedLimit {
  readonly #now: () => number;
  #value = Number.POSITIVE_INFINITY;
  /** Up to here the limit grows with each answer. */
  #target = Number.POSITIVE_INFINITY;
  /** The requests that were in flight at the last refusal of one that was sent with the limit known. */
  #together = { size: 0, refused: 0 };
  #epoch = 0;
  #ended = 0;
  #patience = FIRST_PATIENCE / 2;
  #growAt = 0;

  /** `now` returns milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get value(): number {
    return this.#value;
  }

  sent(): SentAt {
    return { epoch: this.#epoch, ended: this.#ended };
  }

  /** The endpoint refused a request while `others` were in flight. Returns whether that says something new. */
  refused({ epoch, ended }: SentAt, others: number): boolean {
    const isNew = epoch === this.#epoch;
    if (isNew) {
      // Answers that ended meanwhile were in flight with it too.
      this.#together = { size: others + 1 + this.#ended - ended, refused: 0 };
      this.#epoch += 1;
      this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
      this.#growAt = this.#now() + this.#patience;
    }
    this.#together.refused += 1;
    const { size, refused } = this.#together;
    this.#value = Math.max(1, isNew ? size - refused : Math.min(this.#value, size - refused));
    this.#target = size > refused ? this.#value : Math.max(1, Math.floor(size / 2));
    return isNew;
  }

  /** An answer has ended well. */
  answered(): void {
    this.#ended += 1;
    if (this.#value < this.#target) this.#value += 1;
    else if (Number.isFinite(this.#value) && this.#now() >= this.#growAt) {
      this.#value += 1;
      this.#target = this.#value;
      this.#growAt = this.#now() + this.#patience;
    }
  }
}
