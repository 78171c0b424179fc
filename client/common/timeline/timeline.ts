import type { DurableEvent, TeamEvent } from "../../../shared/contract/event.ts";
import type { TeamSnapshot } from "../../../shared/contract/team.ts";
import { awaitRuling, foldEvent } from "./fold-event.ts";
import type { TimelineItem } from "./items.ts";
import { NOTHING_OPEN, type OpenThings } from "./open-items.ts";
import { TimelineDraft } from "./timeline-draft.ts";

/**
 * What the chat shows, in order: a fold over a team's events, like the team's state, and pure. It holds the durable events it
 * was folded from, so that earlier ones can be put before them and the whole folded anew: what an event means depends on
 * those before it, and a page of the past can begin in the middle of anything.
 */
export interface Timeline {
  readonly items: readonly TimelineItem[];
  readonly events: readonly DurableEvent[];
  readonly open: OpenThings;
}

export const EMPTY_TIMELINE: Timeline = {
  items: [],
  events: [],
  open: NOTHING_OPEN,
};

/** The timeline after more events. Those that it already holds are passed over. */
export function foldTimeline(timeline: Timeline, events: readonly TeamEvent[]): Timeline {
  const last = lastSeq(timeline);
  const fresh = events.filter((event) => !isDurable(event) || event.seq > last);
  if (fresh.length === 0) return timeline;
  const draft = new TimelineDraft(timeline);
  for (const event of fresh) foldEvent(draft, event);
  return draft.finish([...timeline.events, ...fresh.filter(isDurable)]);
}

/** The timeline with earlier events put before its own. */
export function prependTimeline(timeline: Timeline, earlier: readonly TeamEvent[]): Timeline {
  const first = firstSeq(timeline) ?? Number.POSITIVE_INFINITY;
  const fresh = earlier.filter(isDurable).filter(({ seq }) => seq < first);
  if (fresh.length === 0) return timeline;
  const draft = new TimelineDraft(foldTimeline(EMPTY_TIMELINE, [...fresh, ...timeline.events]));
  draft.restoreLive(timeline.items);
  return draft.finish([...fresh, ...timeline.events]);
}

/**
 * The timeline of a team just opened, from its snapshot and its last events. What the snapshot knows and those events do not
 * tell (text that is streaming, calls that have been pending for long) is put in.
 */
export function timelineOf(snapshot: TeamSnapshot, events: readonly TeamEvent[]): Timeline {
  const folded = foldTimeline(EMPTY_TIMELINE, events);
  const draft = new TimelineDraft(folded);
  const at = folded.events.at(-1)?.at ?? snapshot.thread.at(-1)?.createdAt ?? "";
  streamSnapshot(draft, snapshot, at);
  for (const pending of snapshot.pendingTools) awaitRuling(draft, pending, `pending-${pending.ref}`, at);
  return draft.finish(folded.events);
}

/** Puts in the text that streams in a team and in the teams within it. */
function streamSnapshot(draft: TimelineDraft, { streaming, inner = {} }: TeamSnapshot, at: string): void {
  for (const message of streaming) draft.streamSoFar(message, at);
  for (const [participant, team] of Object.entries(inner)) {
    if (streams(team)) streamSnapshot(draft.teams.within(participant, `streaming-${participant}`, at), team, at);
  }
}

function streams({ streaming, inner = {} }: TeamSnapshot): boolean {
  return streaming.length > 0 || Object.values(inner).some(streams);
}

/** The first event that the timeline holds, null while it holds none. Before number 1 there is nothing. */
export function firstSeq(timeline: Timeline): number | null {
  return timeline.events[0]?.seq ?? null;
}

function lastSeq(timeline: Timeline): number {
  return timeline.events.at(-1)?.seq ?? 0;
}

/** As `contract/event.ts` has it, without the schemas: the page must not carry those. */
function isDurable(event: TeamEvent): event is DurableEvent {
  return "seq" in event;
}
