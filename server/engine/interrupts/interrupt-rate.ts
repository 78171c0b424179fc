import type { Timers } from "../timers.ts";

const MINUTE_MS = 60_000;

/** How often each sender has interrupted in the last minute. */
export class InterruptRate {
  readonly #timers: Pick<Timers, "now">;
  /** When each sender interrupted, in the last minute, oldest first. */
  readonly #times = new Map<string, readonly number[]>();

  constructor(timers: Pick<Timers, "now">) {
    this.#timers = timers;
  }

  /** True if `sender` has interrupted less than `perMinute` times in the last minute. */
  isBelow(sender: string, perMinute: number): boolean {
    return this.#recent(sender).length < perMinute;
  }

  /** Counts an interrupt of `sender`. */
  add(sender: string): void {
    this.#times.set(sender, [...this.#recent(sender), this.#timers.now()]);
  }

  #recent(sender: string): readonly number[] {
    const since = this.#timers.now() - MINUTE_MS;
    return (this.#times.get(sender) ?? []).filter((time) => time > since);
  }
}
