import { messageOf } from "../../../shared/contract/errors.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { mergedEvent } from "../../../shared/state/merge-events.ts";

/** Where a team's events are written; see TeamJournal. */
export interface Writing {
  /** Writes what has been put off. @throws GavelError `StorageError`. */
  flush(): void;
  /** True when what was written is lost. */
  readonly isBroken: boolean;
}

/** Of events that were read from the store. */
export const KEPT: Writing = { flush: () => {}, isBroken: false };

interface Told {
  readonly teamId: string;
  readonly writing: Writing;
  event: TeamEvent;
}

export interface OutletOptions {
  readonly send: (teamId: string, event: TeamEvent) => void;
  /** Keeps what was written; throws when it can not. */
  readonly commit: () => void;
  readonly warn: (message: string) => void;
}

/**
 * Tells the client what happens to the teams that it follows, in order, and nothing before it is kept: the events of one turn of
 * the event loop are committed together, and then told. Chunks of one message that follow each other are told as one.
 */
export class EventOutlet {
  readonly #options: OutletOptions;
  readonly #followed = new Set<string>();
  readonly #last = new Map<string, Told>();
  /** Events that wait for the answer to a `team/open` to be written before them. */
  readonly #held = new Map<string, TeamEvent[]>();
  #queue: Told[] = [];

  constructor(options: OutletOptions) {
    this.#options = options;
  }

  /** Tells the team's events from now on; those of this turn of the event loop come after the answer that is being made. */
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

  /** `writing` is where the event is written. */
  tell(teamId: string, event: TeamEvent, writing: Writing): void {
    const last = this.#last.get(teamId);
    const merged = last === undefined ? undefined : mergedEvent(last.event, event);
    if (last !== undefined && merged !== undefined) {
      last.event = merged;
      return;
    }
    if (this.#queue.length === 0) setImmediate(() => this.flush());
    const told = { teamId, event, writing };
    this.#last.set(teamId, told);
    this.#queue.push(told);
  }

  /** Tells what waits: before an answer, so that what the answer shows is kept and told. */
  flush(): void {
    const queue = this.#queue;
    this.#queue = [];
    this.#last.clear();
    for (const writing of new Set(queue.map((told) => told.writing))) this.#try(() => writing.flush());
    this.#try(this.#options.commit);
    // What is lost is told to nobody; its team finds out when it next writes.
    for (const { teamId, event, writing } of queue) if (!writing.isBroken) this.#send(teamId, event);
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
