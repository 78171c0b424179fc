import type { TeamEvent } from "../../../shared/contract/event.ts";
import { mergedEvent } from "../../../shared/state/merge-events.ts";

/** Where a team's events are stored, such as a TeamJournal. Positions count what was appended to it. */
export interface EventSource {
  readonly position: number;
  /** True when what was appended up to there is stored, or may be told all the same. */
  isTold(position: number): boolean;
  /** True while what was appended there is not being stored yet. */
  isQueued(position: number): boolean;
  /** Resolves when everything appended so far is stored, or could not be; undefined if that is so. */
  settled(): Promise<void> | undefined;
}

/** The source of events that were read from the store. */
export const STORED: EventSource = {
  position: 0,
  isTold: () => true,
  isQueued: () => false,
  settled: () => undefined,
};

interface PendingEvent {
  readonly source: EventSource;
  position: number;
  event: TeamEvent;
}

interface TeamEvents {
  /** Events that are not stored yet, in order. */
  pending: PendingEvent[];
  /** Events that wait until the answer to a `team/open` has been written. */
  held: PendingEvent[] | undefined;
  source: EventSource;
}

/**
 * Sends the events of the teams that the client follows, in order, and none before it is stored. Consecutive chunks of one
 * message, or of one call's output, are merged.
 */
export class EventPublisher {
  readonly #send: (teamId: string, event: TeamEvent) => void;
  readonly #followed = new Set<string>();
  readonly #teams = new Map<string, TeamEvents>();

  constructor(send: (teamId: string, event: TeamEvent) => void) {
    this.#send = send;
  }

  /**
   * Sends the team's events from now on. They are held back until the returned function is called: once the answer is
   * written that has the team as it is now.
   */
  follow(teamId: string): () => void {
    const team = this.#team(teamId);
    // What is in the answer is not sent to a client that does not follow the team yet.
    if (!this.#followed.has(teamId)) team.pending = [];
    this.#followed.add(teamId);
    if (team.held !== undefined) return () => {};
    team.held = [];
    return () => {
      team.pending.push(...(team.held ?? []));
      team.held = undefined;
      this.stored(teamId);
    };
  }

  unfollow(teamId: string): void {
    this.#followed.delete(teamId);
    this.#teams.delete(teamId);
  }

  /** `source` is where the event is stored. */
  publish(teamId: string, event: TeamEvent, source: EventSource): void {
    const team = this.#team(teamId);
    team.source = source;
    const queue = team.held ?? team.pending;
    const last = queue.at(-1);
    const { position } = source;
    const canMerge = last?.source === source && source.isQueued(last.position);
    const merged = canMerge ? mergedEvent(last.event, event) : undefined;
    if (last !== undefined && merged !== undefined) {
      last.event = merged;
      last.position = position;
    } else queue.push({ event, source, position });
    if (source.isTold(position)) this.stored(teamId);
  }

  /** Sends the events that are stored by now. */
  stored(teamId: string): void {
    const team = this.#teams.get(teamId);
    if (team === undefined) return;
    const first = team.pending.findIndex(({ source, position }) => !source.isTold(position));
    const isFollowed = this.#followed.has(teamId);
    for (const { event } of team.pending.splice(0, first < 0 ? team.pending.length : first)) {
      if (isFollowed) this.#send(teamId, event);
    }
  }

  /** The events of a source that will never be stored are not sent. */
  drop(teamId: string, source: EventSource): void {
    const team = this.#teams.get(teamId);
    if (team === undefined) return;
    team.pending = team.pending.filter((event) => event.source !== source);
    if (team.held !== undefined) team.held = team.held.filter((event) => event.source !== source);
  }

  /**
   * Awaited before every answer that concerns a team, so that no answer shows more than was stored and sent; resolves at
   * once while the team's events cannot be stored.
   */
  async settled(teamId: string): Promise<void> {
    await this.#teams.get(teamId)?.source.settled();
  }

  #team(teamId: string): TeamEvents {
    const known = this.#teams.get(teamId);
    if (known !== undefined) return known;
    const team: TeamEvents = { pending: [], held: undefined, source: STORED };
    this.#teams.set(teamId, team);
    return team;
  }
}
