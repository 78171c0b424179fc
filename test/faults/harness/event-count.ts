import type { HostClient } from "../../host-client.ts";
import { eightIds } from "./open-teams.ts";

/** Counts the events of the eight teams that a client is told. */
export class EventCount implements Disposable {
  #seen = 0;
  #isOver = false;
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  /** `seen` is called with each of them. */
  constructor(host: HostClient, seen: () => void) {
    const onEvent = (): boolean => {
      if (this.#isOver) return true;
      this.#seen++;
      seen();
      const reached = this.#waiting.filter(({ count }) => count <= this.#seen);
      this.#waiting = this.#waiting.filter(({ count }) => count > this.#seen);
      for (const { resolve } of reached) resolve();
      return false;
    };
    for (const teamId of eightIds) void host.event(teamId, onEvent);
  }

  /** How many events there were. */
  get seen(): number {
    return this.#seen;
  }

  /** Resolves after so many more events. */
  next(count: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ count: this.#seen + count, resolve }));
  }

  /** Nothing is counted any more. */
  [Symbol.dispose](): void {
    this.#isOver = true;
  }
}
