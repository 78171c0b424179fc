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
  /** Some of the events from the one with the number `seq` on. */
  readonly from: (seq: number) => Iterable<DurableEvent>;
}

/** The stored events of a team or of a nested one. */
export interface History {
  readonly all: () => Iterable<DurableEvent>;
  /** Undefined when nothing less than the whole history can be read. */
  readonly recent: () => RecentHistory | undefined;
}

/** The history of the nested team of `participant`. */
export function nestedHistory(participant: string, { all, recent }: History): History {
  return {
    all: () => eventsFor(participant, all()),
    recent: () => {
      const outer = recent();
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

function* eventsFor(participant: string, events: Iterable<DurableEvent>): Generator<DurableEvent, void, undefined> {
  for (const event of events) {
    const inner = eventForNested(participant, event);
    if (inner !== undefined) yield inner;
  }
}
