import type { Timers } from "../timers.ts";

interface Waiting {
  readonly at: number;
  readonly call: () => void;
}

/** Timers whose time only passes when a test says so. */
export class ManualTimers implements Timers {
  #now = 0;
  #waiting: Waiting[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, call: () => void): () => void {
    const waiting = { at: this.#now + ms, call };
    this.#waiting.push(waiting);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
    };
  }

  /** How many calls are scheduled. */
  get pending(): number {
    return this.#waiting.length;
  }

  /** Lets `ms` milliseconds pass, and makes the calls that are due, in order. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (let due = this.#due(until); due !== undefined; due = this.#due(until)) {
      this.#now = due.at;
      this.#waiting = this.#waiting.filter((other) => other !== due);
      due.call();
    }
    this.#now = until;
  }

  #due(until: number): Waiting | undefined {
    const [first] = this.#waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
    return first;
  }
}
