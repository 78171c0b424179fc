import { batch, computed, signal } from "@preact/signals";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { PresentClient } from "../../../shared/contract/presence.ts";
import type { StorageStatus } from "../../../shared/contract/storage.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { stateFromSnapshot, type TeamState } from "../../../shared/state/team-state.ts";
import { type Draft, EMPTY_DRAFT } from "../../common/attachments.ts";
import type { CallCard } from "../../common/call-card.ts";
import type { OfferedModel } from "../../common/model-name.ts";
import type { Delivery, TeamTab, ToPage } from "../../common/page-messages.ts";
import { budgetPauseOf, userTurnOf } from "../../common/run-pause.ts";
import { foldTimeline, prependTimeline, timelineOf } from "../../common/timeline/fold-timeline.ts";
import { EMPTY_TIMELINE, firstSeq, lastSeq, type Timeline } from "../../common/timeline/timeline.ts";
import { LOCAL_USER_ID } from "../../common/user-id.ts";
import { announce, announcementsOf } from "./announcements.ts";
import { post, setShownTeam } from "./editor-bridge.ts";
import { filesFound, forgetFiles, forgetMissingFiles } from "./file-targets.ts";
import { closeFind, openFind } from "./find-state.ts";
import { FrameQueue } from "./frame-queue.ts";
import { imageFound } from "./images.ts";

type Message<T extends ToPage["type"]> = Extract<ToPage, { type: T }>;

/** The team that the page shows; null when none is open. */
export const team = signal<TeamState | null>(null);
export const timeline = signal<Timeline>(EMPTY_TIMELINE);
export const welcome = signal<Message<"welcome"> | null>(null);
/** The team file that could not be opened, while it is shown. */
export const failedTeam = signal<Message<"failedTeam"> | null>(null);
export const trusted = signal(true);
/** The id of the user of this window. */
export const user = signal(LOCAL_USER_ID);
export const host = signal<Message<"host">["state"]>("ready");
export const storage = signal<StorageStatus>({ state: "saving" });
/** All open teams, in the order in which they were opened. */
export const teamTabs = signal<readonly TeamTab[]>([]);
export const notice = signal<Message<"notice"> | null>(null);
/** The draft of the team that the page has begun to show. */
export const openedDraft = signal<{ readonly teamId: string; readonly draft: Draft } | null>(null);
/** The draft of the team that is shown, as the user has changed it on another page. */
export const changedDraft = signal<Message<"draft"> | null>(null);
/** The last draft that could not be sent. */
export const unsentDraft = signal<Message<"unsent"> | null>(null);
/** What was attached last at the page's request. */
export const attached = signal<Message<"attached"> | null>(null);
/** The content of an image that was asked for last. */
export const imageContent = signal<Message<"imageContent"> | null>(null);
/** The files that the user may mean after `#`, as last found. */
export const matchingFiles = signal<Message<"matchingFiles">>({ type: "matchingFiles", query: "", files: [] });
/** What the MCP servers of the team offer, as last listed. */
export const serverOffers = signal<Message<"offers">["servers"]>([]);
/** What Enter does while the team runs. */
export const whileRunning = signal<Delivery>("steer");
/** The name of the model of participants without one of their own. */
export const presetModel = signal<string | undefined>(undefined);
/** The language models of VS Code. */
export const offeredModels = signal<readonly OfferedModel[]>([]);
/** The extension's last request to fill the composer; a new object for each request. */
export const composeRequest = signal<Message<"compose"> | null>(null);
/** What an interrupt would do to each running call, by ref, as the extension last reported. */
export const callOutcomes = signal<Readonly<Record<string, string>>>({});
/** What the cards of pending calls show, by ref, as the extension last reported. */
export const callCards = signal<Readonly<Record<string, CallCard>>>({});
/** The calls whose edits of files were undone, by ref, as the extension last reported. */
export const undoneCalls = signal<ReadonlySet<string>>(new Set());
/** What the team has changed in files, as the extension last reported; null while that is not known. */
export const fileChanges = signal<Message<"changes"> | null>(null);
/** The extension's last request to show the card of a pending call; a new object for each request. */
export const revealRequest = signal<Message<"revealCall"> | null>(null);
/** The extension's request to show a call's row, until it is shown. */
export const callRequest = signal<Message<"showCallRow"> | null>(null);
/** `loading` while earlier events are on their way, `done` when there are none. */
export const historyState = signal<"more" | "loading" | "done">("done");
/** The clients that have the team open, this one among them; none while it is alone. */
export const presence = signal<readonly PresentClient[]>([]);
/** The stop reason of the budget that paused the team; null when none did. */
export const budgetPause = computed(() =>
  team.value === null ? null : budgetPauseOf(team.value, timeline.value.events),
);
/** The user participant whose turn it is; null when there is none. */
export const userTurn = computed(() => (team.value === null ? null : userTurnOf(team.value)));
/** Whether the thread shows the messages from before its last reset, which the team no longer sees. */
export const showsBeforeReset = signal(false);
/** Keys of the sections that the user expanded, or collapsed where they are expanded by default. They outlive the rows. */
export const toggledSections = signal<ReadonlySet<string>>(new Set());

const incoming = new FrameQueue<TeamEvent>(applyEvents);

/** Handles a message of the extension. */
export function receive(message: ToPage): void {
  if (message.type === "events") {
    if (message.teamId === team.value?.teamId) incoming.push(...message.events);
    return;
  }
  incoming.flush();
  batch(() => handle(message));
}

function handle(message: Exclude<ToPage, Message<"events">>): void {
  switch (message.type) {
    case "team":
      showTeam(message);
      break;
    case "earlier":
      if (message.teamId === team.value?.teamId) prependEvents(message.events);
      break;
    case "welcome":
      showNoTeam();
      welcome.value = message;
      trusted.value = message.trusted;
      break;
    case "failedTeam":
      showNoTeam();
      failedTeam.value = message;
      announce(failedTeamText(message));
      break;
    case "teams":
      teamTabs.value = message.teams;
      break;
    case "host":
      host.value = message.state;
      if (message.state !== "ready") announce(hostStateText(message.state));
      break;
    case "storage":
      storage.value = message.status;
      announce(storageText(message.status));
      break;
    case "notice":
      notice.value = message;
      announce(message.message);
      break;
    case "noNotice":
      notice.value = null;
      break;
    case "settings":
      whileRunning.value = message.whileRunning;
      presetModel.value = message.presetModel;
      offeredModels.value = message.offeredModels;
      break;
    case "attached":
      attached.value = message;
      break;
    case "imageContent":
      imageContent.value = message;
      break;
    case "matchingFiles":
      matchingFiles.value = message;
      break;
    case "offers":
      serverOffers.value = message.servers;
      break;
    case "draft":
      if (message.teamId === team.value?.teamId) changedDraft.value = message;
      break;
    case "unsent":
      unsentDraft.value = message;
      break;
    case "find":
      openFind(message.query, message.messageId);
      break;
    case "compose":
      composeRequest.value = message;
      break;
    case "interruptPreview":
      if (message.teamId === team.value?.teamId) callOutcomes.value = message.calls;
      break;
    case "callCard":
      if (message.teamId === team.value?.teamId)
        callCards.value = { ...callCards.value, [message.card.ref]: message.card };
      break;
    case "presence":
      if (message.teamId === team.value?.teamId) presence.value = message.clients;
      break;
    case "undoneCalls":
      if (message.teamId === team.value?.teamId) undoneCalls.value = new Set(message.refs);
      break;
    case "changes":
      if (message.teamId === team.value?.teamId) fileChanges.value = message;
      break;
    case "revealCall":
      revealRequest.value = message;
      break;
    case "showCallRow":
      if (message.teamId === team.value?.teamId) callRequest.value = message;
      break;
    case "files":
      filesFound(message.files);
      break;
    case "image":
      imageFound(message.uri, message.source);
      break;
  }
}

function showNoTeam(): void {
  team.value = null;
  welcome.value = null;
  failedTeam.value = null;
  timeline.value = EMPTY_TIMELINE;
  closeFind();
  setShownTeam(undefined);
}

/** What is wrong with a team file that could not be opened, in a sentence. */
export function failedTeamText({ name, problems }: Message<"failedTeam">): string {
  const count = problems.length === 1 ? "a problem" : `${problems.length} problems`;
  return `${name} cannot be opened: it has ${count}.`;
}

/** Shows a team. When the host restarted and it is the same team, the earlier events that were loaded stay. */
function showTeam(message: Message<"team">): void {
  const { snapshot, events, trusted: isTrusted, draft = EMPTY_DRAFT } = message;
  const isSame = team.value?.teamId === snapshot.teamId;
  const opened = timelineOf(snapshot, events);
  timeline.value = isSame && overlaps(timeline.value, opened) ? prependTimeline(opened, timeline.value.events) : opened;
  team.value = stateFromSnapshot(snapshot);
  setShownTeam(snapshot.teamId);
  trusted.value = isTrusted;
  user.value = message.user;
  welcome.value = null;
  failedTeam.value = null;
  historyState.value = (firstSeq(timeline.value) ?? 1) > 1 ? "more" : "done";
  // The workspace may have other folders now.
  forgetFiles();
  // Of the team that is shown already, the composer has the newest.
  if (isSame) return;
  closeFind();
  toggledSections.value = new Set();
  showsBeforeReset.value = false;
  openedDraft.value = { teamId: snapshot.teamId, draft };
  callCards.value = {};
  presence.value = [];
  undoneCalls.value = new Set();
  fileChanges.value = null;
}

function overlaps(shown: Timeline, opened: Timeline): boolean {
  return (firstSeq(opened) ?? Number.POSITIVE_INFINITY) <= lastSeq(shown) + 1;
}

function applyEvents(events: readonly TeamEvent[]): void {
  const before = team.value;
  if (before === null) return;
  const fresh = events.filter((event) => !("seq" in event) || event.seq > before.lastSeq);
  const after = fresh.reduce(reduceTeam, before);
  batch(() => {
    team.value = after;
    timeline.value = foldTimeline(timeline.value, fresh);
    // A tool may have written a file that was missing.
    if (fresh.some(({ type }) => type === "tool/executed")) forgetMissingFiles();
  });
  if (fresh.some(({ type, path }) => type === "team/reset" && path === undefined)) showsBeforeReset.value = false;
  announce(...announcementsOf(fresh, before, after, timeline.value, user.value));
}

function prependEvents(events: readonly TeamEvent[]): void {
  const before = firstSeq(timeline.value);
  timeline.value = prependTimeline(timeline.value, events);
  const first = firstSeq(timeline.value);
  // No new event means that there are none: asking again would never end.
  historyState.value = first === null || first <= 1 || first === before ? "done" : "more";
}

/** Requests the events before the first one, unless a request is under way. */
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

/** The text while something cannot be stored; null if everything is. */
export function storageText({ state, message = "" }: StorageStatus): string | null {
  if (state === "saving") return null;
  return state === "unsaved" ? `This conversation is not being saved. ${message}` : message;
}

/** The text for a host that is not ready. */
export function hostStateText(state: "starting" | "down"): string {
  return state === "starting" ? "The agent host is starting…" : "The agent host has stopped.";
}
