import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { TimelineItem } from "./items.ts";
import { NO_OPEN_ITEMS, type OpenItems } from "./open-items.ts";

/**
 * What the chat shows, in order. It keeps the durable events that it was folded from: what an event means depends on those
 * before it, so when earlier events are loaded the whole is folded again.
 */
export interface Timeline {
  readonly items: readonly TimelineItem[];
  readonly events: readonly DurableEvent[];
  readonly open: OpenItems;
}

export const EMPTY_TIMELINE: Timeline = { items: [], events: [], open: NO_OPEN_ITEMS };

/** The number of the first event in the timeline; null while it has none. A team's events start at 1. */
export function firstSeq(timeline: Timeline): number | null {
  return timeline.events[0]?.seq ?? null;
}

/** The number of the last event in the timeline; 0 while it has none. */
export function lastSeq(timeline: Timeline): number {
  return timeline.events.at(-1)?.seq ?? 0;
}
