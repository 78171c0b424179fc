import type { DurableEvent, TeamEvent } from "../../../shared/contract/event.ts";
import type { TeamSnapshot } from "../../../shared/contract/team.ts";
import { addPendingCall, foldEvent } from "./fold-event.ts";
import { EMPTY_TIMELINE, firstSeq, lastSeq, type Timeline } from "./timeline.ts";
import { TimelineDraft } from "./timeline-draft.ts";

/** The timeline after more events. Durable events that it already has are skipped. */
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
 * The timeline of a team that was just opened, from its snapshot and its last events. It adds what only the snapshot has:
 * text that is streaming, and calls whose request is older than those events.
 */
export function timelineOf(snapshot: TeamSnapshot, events: readonly TeamEvent[]): Timeline {
  const folded = foldTimeline(EMPTY_TIMELINE, events);
  const draft = new TimelineDraft(folded);
  const at = folded.events.at(-1)?.at ?? snapshot.thread.at(-1)?.createdAt ?? "";
  addStreamingText(draft, snapshot, at);
  for (const pending of snapshot.pendingTools) addPendingCall(draft, pending, `pending-${pending.ref}`, at);
  return draft.finish(folded.events);
}

/** Adds the text that is streaming in a team and in its nested teams. */
function addStreamingText(draft: TimelineDraft, { streaming, inner = {} }: TeamSnapshot, at: string): void {
  for (const message of streaming) draft.setStreamedText(message, at);
  for (const [participant, team] of Object.entries(inner)) {
    if (isStreaming(team)) {
      addStreamingText(draft.teams.getOrAdd(participant, `streaming-${participant}`, at), team, at);
    }
  }
}

function isStreaming({ streaming, inner = {} }: TeamSnapshot): boolean {
  return streaming.length > 0 || Object.values(inner).some(isStreaming);
}

/** The guard of `contract/event.ts` without its schemas, which would make the page's bundle larger. */
function isDurable(event: TeamEvent): event is DurableEvent {
  return "seq" in event;
}
