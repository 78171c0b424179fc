import { isDurable, type TeamEvent } from "../contract/event.ts";
import type { ParamsOf, ResultOf } from "../contract/message-type.ts";
import { TeamEvents } from "../contract/requests.ts";

/** The part of a host that reads its event log. */
export interface EventsHost {
  request(message: typeof TeamEvents, params: ParamsOf<typeof TeamEvents>): Promise<ResultOf<typeof TeamEvents>>;
}

/** How many events a team may be behind and still be brought up to date by them; beyond that a snapshot is cheaper. */
const CATCH_UP_LIMIT = 5000;
/** The largest limit of `team/events`. */
const MAX_PAGE = 10_000;

/**
 * The events after `after` that bring a team up to date with a snapshot whose last event is `lastSeq`.
 * @returns undefined when there are too many, or when `after` is ahead: then the team is shown from the snapshot.
 */
export async function missingEvents(
  host: EventsHost,
  teamId: string,
  after: number,
  lastSeq: number,
): Promise<readonly TeamEvent[] | undefined> {
  const behind = lastSeq - after;
  if (behind < 0 || behind > CATCH_UP_LIMIT) return undefined;
  return eventsAfter(host, teamId, after, CATCH_UP_LIMIT);
}

/** The events after `after`, at most `limit`. Where they are long, a host gives them in several answers. */
export async function eventsAfter(
  host: EventsHost,
  teamId: string,
  after: number,
  limit: number,
): Promise<readonly TeamEvent[]> {
  const all: TeamEvent[] = [];
  for (let last = after; all.length < limit; ) {
    const rest = Math.min(limit - all.length, MAX_PAGE);
    const { events, lastSeq } = await host.request(TeamEvents, { teamId, after: last, limit: rest });
    all.push(...events);
    const end = events.at(-1);
    if (end === undefined || !isDurable(end) || end.seq >= lastSeq) break;
    last = end.seq;
  }
  return all;
}
