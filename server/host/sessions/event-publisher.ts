import { messageOf } from "../../../shared/contract/errors.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { mergedEvent } from "../../../shared/state/merge-events.ts";

/** Where a team's events are written, such as a TeamJournal. */
export interface FlushableLog {
  /** Writes what was deferred. @throws GavelError `StorageError`. */
  flush(): void;
  /** True when written events are lost. */
  readonly isBroken: boolean;
}

/** The log of events that were read from the store. */
export const STORED: FlushableLog = { flush: () => {}, isBroken: false };

interface PendingEvent {
  readonly teamId: string;
  readonly log: FlushableLog;
  event: TeamEvent;
}

export interface PublisherOptions {
  readonly send: (teamId: string, event: TeamEvent) => void;
  /** Commits what was written. @throws GavelError `StorageError`. */
  readonly commit: () => void;
  readonly warn: (message: string) => void;
}

/**
 * Sends the events of the teams that the client follows, in order, and none before it is stored: the events of one turn of
 * the event loop are committed together and then sent. Consecutive chunks of one message, or of one call's output, are
 * merged.
 */
export class EventPublisher {
  readonly #options: PublisherOptions;
  readonly #followed = new Set<string>();
  readonly #last = new Map<string, PendingEvent>();
  /** Events that wait until the answer to a `team/open` has been written. */
  readonly #held = new Map<string, TeamEvent[]>();
  #pending: PendingEvent[] = [];

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** Sends the team's events from now on; those of this turn of the event loop after the answer to the current request. */
  follow(teamId: string): void {
    this.flush();
    this.#followed.add(teamId);
    if (this.#held.has(teamId)) return;
    this.#held.set(teamId, []);
    setImmediate(() => {
      const held = this.#held.get(teamId) ?? [];
      this.#held.delete(teamId);
      for (const event of held) this.#send(teamId, event);
    });
  }

  unfollow(teamId: string): void {
    this.#followed.delete(teamId);
  }

  /** `log` is where the event is written. */
  publish(teamId: string, event: TeamEvent, log: FlushableLog): void {
    const last = this.#last.get(teamId);
    const merged = last === undefined ? undefined : mergedEvent(last.event, event);
    if (last !== undefined && merged !== undefined) {
      last.event = merged;
      return;
    }
    if (this.#pending.length === 0) setImmediate(() => this.flush());
    const pending = { teamId, event, log };
    this.#last.set(teamId, pending);
    this.#pending.push(pending);
  }

  /**
   * Stores and sends the pending events. Called before every answer, so that no answer shows more than was stored and sent.
   */
  flush(): void {
    const pending = this.#pending;
    this.#pending = [];
    this.#last.clear();
    for (const log of new Set(pending.map((event) => event.log))) this.#try(() => log.flush());
    this.#try(this.#options.commit);
    // A lost event is not sent; its team fails when it next writes.
    for (const { teamId, event, log } of pending) if (!log.isBroken) this.#send(teamId, event);
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.warn(messageOf(error));
    }
  }

  #send(teamId: string, event: TeamEvent): void {
    if (!this.#followed.has(teamId)) return;
    const held = this.#held.get(teamId);
    if (held === undefined) this.#options.send(teamId, event);
    else held.push(event);
  }
}
