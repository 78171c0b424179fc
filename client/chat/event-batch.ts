import type { TeamEvent } from "../../shared/contract/event.ts";
import { mergedEvent } from "../../shared/state/merge-events.ts";

/** About one frame, in milliseconds: the page cannot draw more often. */
const FRAME_MS = 16;

/**
 * Gathers a team's events and hands them on once in a frame, in order. Consecutive chunks of one message, or of one call's
 * output, become one.
 */
export class EventBatch {
  readonly #send: (events: readonly TeamEvent[]) => void;
  #events: TeamEvent[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (events: readonly TeamEvent[]) => void) {
    this.#send = send;
  }

  add(events: readonly TeamEvent[]): void {
    for (const event of events) this.#append(event);
    this.#timer ??= setTimeout(() => this.flush(), FRAME_MS);
  }

  /** Sends what has been collected, now. */
  flush(): void {
    const events = this.#events;
    this.clear();
    if (events.length > 0) this.#send(events);
  }

  /** Drops what has been collected: the page is sent the whole team, which includes it. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#events = [];
  }

  #append(event: TeamEvent): void {
    const last = this.#events.at(-1);
    const merged = last && mergedEvent(last, event);
    if (merged === undefined) this.#events.push(event);
    else this.#events[this.#events.length - 1] = merged;
  }
}
