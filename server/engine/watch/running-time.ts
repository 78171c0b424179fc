import type { Timers } from "../timers.ts";

export interface RunningTimeOptions {
  /** How long a run may last, in seconds. */
  readonly seconds?: number | undefined;
  /** How long nothing may happen in it, in seconds. */
  readonly stallSeconds?: number | undefined;
  readonly timers: Timers;
  /** Called when either has come true. */
  readonly onTime: () => void;
}

/** How long a team has been running, and how long nothing has happened in it. At rest it keeps no timer. */
export class RunningTime {
  readonly #options: RunningTimeOptions;
  #before = 0;
  #since: number | undefined;
  #heard = 0;
  #endSeconds: (() => void) | undefined;
  #endStall: (() => void) | undefined;

  constructor(options: RunningTimeOptions) {
    this.#options = options;
  }

  /** True when it runs, or ran, for so long. */
  get isOver(): boolean {
    const { seconds } = this.#options;
    return seconds === undefined || this.#ran >= seconds * 1000;
  }

  /** True while nothing has happened for so long. */
  get isStalled(): boolean {
    const { stallSeconds, timers } = this.#options;
    if (stallSeconds === undefined) return true;
    return this.#since !== undefined && timers.now() - this.#heard >= stallSeconds * 1000;
  }

  /** A run begins; `anew` unless it goes on with one that waited for the user. */
  start(anew: boolean): void {
    this.stop();
    if (anew) this.#before = 0;
    this.#since = this.#options.timers.now();
    this.#awaitSeconds();
    this.heard();
  }

  /** Something was said or done. */
  heard(): void {
    if (this.#options.stallSeconds === undefined || this.#since === undefined) return;
    this.#heard = this.#options.timers.now();
    if (this.#endStall === undefined) this.#awaitStall();
  }

  /** The run has ended, or nothing more is to be told of it. */
  stop(): void {
    this.#before = this.#ran;
    this.#since = undefined;
    this.#endSeconds?.();
    this.#endStall?.();
    this.#endSeconds = undefined;
    this.#endStall = undefined;
  }

  get #ran(): number {
    return this.#before + (this.#since === undefined ? 0 : this.#options.timers.now() - this.#since);
  }

  #awaitSeconds(): void {
    const { seconds, timers, onTime } = this.#options;
    if (seconds === undefined || this.isOver) return;
    this.#endSeconds = timers.after(seconds * 1000 - this.#ran, () => {
      this.#endSeconds = undefined;
      if (this.isOver) onTime();
      else this.#awaitSeconds();
    });
  }

  /** One timer for the whole silence: what is heard meanwhile only moves its end. */
  #awaitStall(): void {
    const { stallSeconds = 0, timers, onTime } = this.#options;
    this.#endStall = timers.after(this.#heard + stallSeconds * 1000 - timers.now(), () => {
      this.#endStall = undefined;
      if (this.isStalled) onTime();
      else this.#awaitStall();
    });
  }
}
