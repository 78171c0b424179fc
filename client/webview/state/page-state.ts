import { batch, computed, signal } from "@preact/signals";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { stateFromSnapshot, type TeamState } from "../../../shared/state/team-state.ts";
import type { ErrorAction } from "../../common/error-actions.ts";
import type { ToPage } from "../../common/page-messages.ts";
import { budgetPauseOf, userTurnOf } from "../../common/run-pause.ts";
import { foldTimeline, prependTimeline, timelineOf } from "../../common/timeline/fold-timeline.ts";
import { EMPTY_TIMELINE, firstSeq, type Timeline } from "../../common/timeline/timeline.ts";
import { announce, announcementOf, statusAnnouncement } from "./announcements.ts";
import { post } from "./editor-bridge.ts";
import { FrameQueue } from "./frame-queue.ts";
import { imageFound } from "./images.ts";

type Message<T extends ToPage["type"]> = Extract<ToPage, { type: T }>;

/** What the page shows; each part of it follows the signal that it reads. */
export const team = signal<TeamState | null>(null);
export const timeline = signal<Timeline>(EMPTY_TIMELINE);
export const welcome = signal<Message<"welcome"> | null>(null);
export const trusted = signal(true);
export const host = signal<Message<"host">["state"]>("ready");
export const notice = signal<{ readonly message: string; readonly actions: readonly ErrorAction[] } | null>(null);
/** What the extension asks the composer to hold; a new object for every asking. */
export const composeRequest = signal<Message<"compose"> | null>(null);
/** What an interrupt would do to each call in flight, by ref, as the extension said last. */
export const callOutcomes = signal<Readonly<Record<string, string>>>({});
/** `loading` while a page of the past is on its way, `done` when there is none before. */
export const historyState = signal<"more" | "loading" | "done">("done");
/** Why a budget has the team paused; null when none has. */
export const budgetPause = computed(() =>
  team.value === null ? null : budgetPauseOf(team.value, timeline.value.events),
);
/** Whose turn it is of the participants that the user speaks for; null when it is nobody's. */
export const userTurn = computed(() => (team.value === null ? null : userTurnOf(team.value)));
/** Keys of what the user has unfolded, or folded where it unfolds by itself. They outlive the rows, which come and go with scrolling. */
export const toggledSections = signal<ReadonlySet<string>>(new Set());

const incoming = new FrameQueue<TeamEvent>(takeEvents);

/** Takes in one message of the extension. */
export function receive(message: ToPage): void {
  if (message.type === "events") {
    if (message.teamId === team.value?.teamId) incoming.push(...message.events);
    return;
  }
  incoming.flush();
  batch(() => take(message));
}

function take(message: Exclude<ToPage, Message<"events">>): void {
  switch (message.type) {
    case "team":
      takeTeam(message);
      break;
    case "earlier":
      if (message.teamId === team.value?.teamId) takeEarlier(message.events);
      break;
    case "welcome":
      welcome.value = message;
      trusted.value = message.trusted;
      team.value = null;
      timeline.value = EMPTY_TIMELINE;
      break;
    case "host":
      host.value = message.state;
      if (message.state !== "ready") announce(hostStateText(message.state));
      break;
    case "notice":
      notice.value = message;
      announce(message.message);
      break;
    case "compose":
      composeRequest.value = message;
      break;
    case "interruptPreview":
      if (message.teamId === team.value?.teamId) callOutcomes.value = message.calls;
      break;
    case "image":
      imageFound(message.uri, message.source);
      break;
  }
}

/** A team opened, or the same one told again after the host came back: then what had been scrolled back to stays. */
function takeTeam({ snapshot, events, trusted: isTrusted }: Message<"team">): void {
  const same = team.value?.teamId === snapshot.teamId;
  const opened = timelineOf(snapshot, events);
  timeline.value = same && touches(timeline.value, opened) ? prependTimeline(opened, timeline.value.events) : opened;
  team.value = stateFromSnapshot(snapshot);
  trusted.value = isTrusted;
  welcome.value = null;
  historyState.value = (firstSeq(timeline.value) ?? 1) > 1 ? "more" : "done";
  if (!same) toggledSections.value = new Set();
}

function touches(held: Timeline, opened: Timeline): boolean {
  const last = held.events.at(-1)?.seq ?? 0;
  return (firstSeq(opened) ?? Number.POSITIVE_INFINITY) <= last + 1;
}

function takeEvents(events: readonly TeamEvent[]): void {
  const before = team.value;
  if (before === null) return;
  const fresh = events.filter((event) => !("seq" in event) || event.seq > before.lastSeq);
  const after = fresh.reduce(reduceTeam, before);
  batch(() => {
    team.value = after;
    timeline.value = foldTimeline(timeline.value, fresh);
  });
  for (const event of fresh) announce(announcementOf(event, after));
  if (after.status !== before.status) announce(statusAnnouncement(after));
}

function takeEarlier(events: readonly TeamEvent[]): void {
  const before = firstSeq(timeline.value);
  timeline.value = prependTimeline(timeline.value, events);
  const first = firstSeq(timeline.value);
  // An answer without anything new would be asked for for ever.
  historyState.value = first === null || first <= 1 || first === before ? "done" : "more";
}

/** Asks for the page of events before those held, unless that is under way. */
export function loadEarlier(): void {
  const before = firstSeq(timeline.value);
  if (historyState.value !== "more" || before === null) return;
  historyState.value = "loading";
  post({ type: "earlier", before });
}

export function toggleSection(key: string): void {
  const keys = new Set(toggledSections.value);
  if (!keys.delete(key)) keys.add(key);
  toggledSections.value = keys;
}

/** What the page says of a host that is not there. */
export function hostStateText(state: "starting" | "down"): string {
  return state === "starting" ? "The agent host is starting…" : "The agent host has stopped.";
}
