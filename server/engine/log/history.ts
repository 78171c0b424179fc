import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { HistoryTotals } from "./history-totals.ts";
import { eventForNested } from "./nested-event.ts";

/** The end of a team's history, read without the rest of it. */
export interface RecentHistory {
  /** The totals of all events up to `until`. Whoever asked for them may add to them. */
  readonly totals: HistoryTotals;
  readonly until: number;
  /** The events after `after` up to `until`, and all events after that. */
  readonly after: number;
  readonly events: readonly DurableEvent[];
  readonly later: readonly DurableEvent[];
  /** Some of the events from the one that the conversation starts with (`HistoryTotals.start`), as it was up to `until`. */
  readonly from: (start: number) => Iterable<DurableEvent>;
}

/** Events that a store gives at a time, in their order, and the number of the last one that they stand for. */
export interface HistoryPage {
  readonly events: Iterable<DurableEvent>;
  readonly lastSeq: number;
}

/** The stored events of a team or of a nested one. */
export interface History {
  /** The pages of a store are those of the root team. */
  readonly all: () => Iterable<DurableEvent> | AsyncIterable<HistoryPage>;
  /** Undefined when nothing less than the whole history can be read. */
  readonly recent: () => Promise<RecentHistory | undefined>;
}

/** What runs and requests need of a history in pages has not been read. */
export class HistoryNotRead extends Error {
  constructor() {
    super("The stored history of the team has not been read; wait for Team.prepare() first.");
  }
}

/** The history of the nested team of `participant`. */
export function nestedHistory(participant: string, { all, recent }: History): History {
  return {
    all: () => {
      const history = all();
      return isPaged(history) ? history : eventsFor(participant, history);
    },
    recent: async () => {
      const outer = await recent();
      if (outer === undefined) return undefined;
      return {
        totals: outer.totals.nested(participant),
        until: outer.until,
        after: outer.after,
        events: [...eventsFor(participant, outer.events)],
        later: [...eventsFor(participant, outer.later)],
        from: (seq) => eventsFor(participant, outer.from(seq)),
      };
    },
  };
}

export const isPaged = (
  history: Iterable<DurableEvent> | AsyncIterable<HistoryPage>,
): history is AsyncIterable<HistoryPage> => Symbol.asyncIterator in history;

function* eventsFor(participant: string, events: Iterable<DurableEvent>): Generator<DurableEvent, void, undefined> {
  for (const event of events) {
    const inner = eventForNested(participant, event);
    if (inner !== undefined) yield inner;
  }
}
