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

/** Who is told a team's events: a client. The same event object goes to each of them. */
export interface Follower {
  /** True for one that is shown only what is stored: another host, which may have to go on from there. */
  readonly needsStored?: boolean;
  tell(teamId: string, event: TeamEvent): void;
}

interface PendingEvent {
  readonly source: EventSource;
  /** Counts what was published of the team. A merged event has the number of its first part. */
  readonly number: number;
  position: number;
  event: TeamEvent;
}

/** What one follower has not been told of a team. */
interface Following {
  /** The number of the first event that is not in the state that the follower was given. */
  from: number;
  /** Events that wait until the answer to a `team/open` has been written. */
  held: TeamEvent[] | undefined;
}

interface TeamEvents {
  /** Events that are not stored yet, in order. */
  pending: PendingEvent[];
  readonly followers: Map<Follower, Following>;
  /** The number of the next event. */
  next: number;
  /** No event is merged with one before this number, as a follower's state has the one and not the other. */
  mergeFrom: number;
  source: EventSource;
}

/**
 * Tells the clients that follow a team its events, in order, and none before it is stored. Consecutive chunks of one
 * message, or of one call's output, are merged.
 */
export class EventPublisher {
  readonly #teams = new Map<string, TeamEvents>();
  readonly #watchers = new Set<Follower>();

  /** Tells the events of all teams, for as long as the host runs. */
  watch(watcher: Follower): void {
    this.#watchers.add(watcher);
  }

  /**
   * Tells the follower the team's events from now on. They are held back until the returned function is called: once the
   * answer is written that has the team as it is now.
   */
  follow(teamId: string, follower: Follower): () => void {
    const team = this.#team(teamId);
    const known = team.followers.get(follower);
    // What is in the answer is not told to one that does not follow the team yet.
    const following = known ?? { from: team.next, held: undefined };
    if (known === undefined) {
      team.followers.set(follower, following);
      team.mergeFrom = team.next;
    }
    if (following.held !== undefined) return () => {};
    following.held = [];
    return () => {
      const held = following.held ?? [];
      following.held = undefined;
      if (team.followers.get(follower) === following) for (const event of held) follower.tell(teamId, event);
    };
  }

  /** No follower is told of the team any more. */
  unfollow(teamId: string): void {
    this.#teams.delete(teamId);
  }

  /** The follower knows nothing of the team any more, as if it had never followed it. */
  forget(teamId: string, follower: Follower): void {
    this.#teams.get(teamId)?.followers.delete(follower);
  }

  /** The follower is told of no team any more. */
  leave(follower: Follower): void {
    for (const { followers } of this.#teams.values()) followers.delete(follower);
  }

  /** Whether anyone follows the team. */
  isFollowed(teamId: string): boolean {
    return (this.#teams.get(teamId)?.followers.size ?? 0) > 0;
  }

  /** `source` is where the event is stored. */
  publish(teamId: string, event: TeamEvent, source: EventSource): void {
    const team = this.#team(teamId);
    team.source = source;
    const last = team.pending.at(-1);
    const { position } = source;
    const canMerge = last?.source === source && last.number >= team.mergeFrom && source.isQueued(last.position);
    const merged = canMerge ? mergedEvent(last.event, event) : undefined;
    if (last !== undefined && merged !== undefined) {
      last.event = merged;
      last.position = position;
    } else team.pending.push({ event, source, position, number: team.next });
    team.next++;
    if (source.isTold(position)) this.stored(teamId);
  }

  /** Tells the events that are stored by now. */
  stored(teamId: string): void {
    const team = this.#teams.get(teamId);
    if (team === undefined) return;
    const first = team.pending.findIndex(({ source, position }) => !source.isTold(position));
    for (const { event, number } of team.pending.splice(0, first < 0 ? team.pending.length : first)) {
      for (const watcher of this.#watchers) watcher.tell(teamId, event);
      for (const [follower, { from, held }] of team.followers) {
        if (number < from) continue;
        if (held === undefined) follower.tell(teamId, event);
        else held.push(event);
      }
    }
  }

  /** The events of a source that will never be stored are not told, and hold up no others. */
  drop(teamId: string, source: EventSource): void {
    const team = this.#teams.get(teamId);
    if (team === undefined) return;
    team.pending = team.pending.filter((event) => event.source !== source);
    this.stored(teamId);
  }

  /**
   * Awaited before every answer that concerns a team, so that no answer shows more than was stored and told; resolves at
   * once while the team's events cannot be stored. @returns false if what was published could not be stored.
   */
  async settled(teamId: string): Promise<boolean> {
    const source = this.#teams.get(teamId)?.source;
    if (source === undefined) return true;
    const { position } = source;
    await source.settled();
    return source.isTold(position);
  }

  #team(teamId: string): TeamEvents {
    const known = this.#teams.get(teamId);
    if (known !== undefined) return known;
    const team: TeamEvents = { pending: [], followers: new Map(), next: 0, mergeFrom: 0, source: STORED };
    this.#teams.set(teamId, team);
    return team;
  }
}
