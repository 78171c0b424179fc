import type { Timers } from "../timers.ts";

export interface RunningTimeOptions {
  /** The maximum duration of a run, in seconds. */
  readonly seconds?: number | undefined;
  /** The maximum time without activity, in seconds. */
  readonly stallSeconds?: number | undefined;
  readonly timers: Timers;
  /** Called when either time has passed. */
  readonly onTime: () => void;
}

/** Measures how long a team has been running and how long it has been idle. Holds no timer while the team is at rest. */
export class RunningTime {
  readonly #options: RunningTimeOptions;
  #earlierMs = 0;
  #startedAt: number | undefined;
  #lastActivity = 0;
  #cancelSeconds: (() => void) | undefined;
  #cancelStall: (() => void) | undefined;

  constructor(options: RunningTimeOptions) {
    this.#options = options;
  }

  /** True once the run has lasted the maximum duration. */
  get isOver(): boolean {
    const { seconds } = this.#options;
    return seconds === undefined || this.#elapsedMs >= seconds * 1000;
  }

  /** True while there has been no activity for the maximum time. */
  get isStalled(): boolean {
    const { stallSeconds, timers } = this.#options;
    if (stallSeconds === undefined) return true;
    return this.#startedAt !== undefined && timers.now() - this.#lastActivity >= stallSeconds * 1000;
  }

  /** Starts measuring a run; `isNew` is false for a run that continues one that waited for the user. */
  start(isNew: boolean): void {
    this.stop();
    if (isNew) this.#earlierMs = 0;
    this.#startedAt = this.#options.timers.now();
    this.#awaitSeconds();
    this.onActivity();
  }

  /** Records activity. */
  onActivity(): void {
    if (this.#options.stallSeconds === undefined || this.#startedAt === undefined) return;
    this.#lastActivity = this.#options.timers.now();
    if (this.#cancelStall === undefined) this.#awaitStall();
  }

  /** Stops measuring. */
  stop(): void {
    this.#earlierMs = this.#elapsedMs;
    this.#startedAt = undefined;
    this.#cancelSeconds?.();
    this.#cancelStall?.();
    this.#cancelSeconds = undefined;
    this.#cancelStall = undefined;
  }

  get #elapsedMs(): number {
    return this.#earlierMs + (this.#startedAt === undefined ? 0 : this.#options.timers.now() - this.#startedAt);
  }

  #awaitSeconds(): void {
    const { seconds, timers, onTime } = this.#options;
    if (seconds === undefined || this.isOver) return;
    this.#cancelSeconds = timers.after(seconds * 1000 - this.#elapsedMs, () => {
      this.#cancelSeconds = undefined;
      if (this.isOver) onTime();
      else this.#awaitSeconds();
    });
  }

  /** Activity does not restart the timer: if it fires too early, it waits for the rest. */
  #awaitStall(): void {
    const { stallSeconds = 0, timers, onTime } = this.#options;
    this.#cancelStall = timers.after(this.#lastActivity + stallSeconds * 1000 - timers.now(), () => {
      this.#cancelStall = undefined;
      if (this.isStalled) onTime();
      else this.#awaitStall();
    });
  }
}
