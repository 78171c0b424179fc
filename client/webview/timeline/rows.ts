import { computed } from "@preact/signals";
import { isOwnSpeaker } from "../../common/participants/participants.ts";
import { type MessageItem, speakerOf, type TeamItem, type TimelineItem } from "../../common/timeline/items.ts";
import { historyState, showsBeforeReset, timeline, toggledSections } from "../state/page-state.ts";
import { rosterAt } from "../state/roster.ts";
import { isLive, isParallel } from "./lanes.ts";

/** A row of the thread. */
export interface ThreadRow {
  /** Unique among all rows, including those of nested teams. */
  readonly key: string;
  readonly item: TimelineItem;
  /** The path to the row's nested team; empty for the team itself. */
  readonly path: readonly string[];
  /** The first row of its speaker's group. */
  readonly head: boolean;
  /** Its participant is one of several that are active at the same time, and it is still being written or run. */
  readonly lane: boolean;
  /** The messages that a nested team received, shown as one row; `item` is the first. */
  readonly received?: readonly MessageItem[];
}

const ROOT: readonly string[] = [];

/**
 * All rows, in order, from the last reset on unless the user wants to see those before it. An expanded nested team adds a
 * row for each of its items, so that a long one is virtualized too.
 */
export const threadRows = computed<readonly ThreadRow[]>(() => {
  const all: ThreadRow[] = [];
  const { items } = timeline.value;
  addRows(all, showsBeforeReset.value ? items : items.slice(resetAt(items)), ROOT, "", toggledSections.value);
  return all;
});

/** Whether there are messages from before a reset, loaded or not, that are not shown. */
export const hidesBeforeReset = computed(() => {
  const { items } = timeline.value;
  if (showsBeforeReset.value || !items.some(isReset)) return false;
  return resetAt(items) > 0 || historyState.value !== "done";
});

/** Whether the thread has no message, or none since its reset. */
export const isThreadEmpty = computed(() => {
  const { items } = timeline.value;
  return (
    items.length === 0 || (!showsBeforeReset.value && items.length === resetAt(items) + 1 && isReset(items.at(-1)))
  );
});

/** The place of the last reset; 0 without one. */
const resetAt = (items: readonly TimelineItem[]): number => Math.max(0, items.findLastIndex(isReset));

const isReset = (item: TimelineItem | undefined): boolean => item?.kind === "note" && item.note === "reset";

/** The key under which the page remembers that the user expanded or collapsed a nested team in its current state. */
export function teamSectionKey(key: string, { state }: TeamItem): string {
  return `${key}-${state}`;
}

/** Whether a nested team is expanded: by default until its participant has answered. */
export function isTeamExpanded(key: string, item: TeamItem, toggled: ReadonlySet<string>): boolean {
  return (item.state !== "answered") !== toggled.has(teamSectionKey(key, item));
}

/** The keys of the nested teams to expand so that the first item that `wanted` accepts is shown; null when there is none. */
export function collapsedSectionsAround(
  items: readonly TimelineItem[],
  wanted: (item: TimelineItem) => boolean,
  toggled: ReadonlySet<string>,
  prefix = "",
): readonly string[] | null {
  for (const item of items) {
    if (wanted(item)) return [];
    if (item.kind !== "team") continue;
    const key = prefix + item.key;
    const within = collapsedSectionsAround(item.items, wanted, toggled, `${key}/`);
    if (within !== null) return isTeamExpanded(key, item, toggled) ? within : [teamSectionKey(key, item), ...within];
  }
  return null;
}

function addRows(
  all: ThreadRow[],
  items: readonly TimelineItem[],
  path: readonly string[],
  prefix: string,
  toggled: ReadonlySet<string>,
): void {
  const parallel = isParallel(path);
  let before: TimelineItem | undefined;
  let expandedBefore = false;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (item === undefined) continue;
    const key = prefix + item.key;
    const received = receivedAt(items, index, path);
    if (received !== undefined) {
      all.push({ key, item, path, head: true, lane: false, received });
      index += received.length - 1;
      before = undefined;
      continue;
    }
    const speaker = speakerOf(item);
    const head = speaker === null || before === undefined || expandedBefore || speakerOf(before) !== speaker;
    all.push({ key, item, path, head, lane: parallel && isLive(item) });
    expandedBefore = item.kind === "team" && isTeamExpanded(key, item, toggled);
    if (item.kind === "team" && expandedBefore) {
      addRows(all, item.items, pathInto(item, path), `${key}/`, toggled);
    }
    before = item;
  }
}

const receivedLists = new WeakMap<TimelineItem, readonly MessageItem[]>();

/** The messages that a nested team received, from `index` on. The list is the same object until they change. */
function receivedAt(
  items: readonly TimelineItem[],
  index: number,
  path: readonly string[],
): readonly MessageItem[] | undefined {
  const first = items[index];
  if (path.length === 0 || first === undefined) return undefined;
  const members = rosterAt(path);
  const received: MessageItem[] = [];
  for (const item of items.slice(index)) {
    if (item.kind !== "message" || isOwnSpeaker(item.source, members)) break;
    received.push(item);
  }
  if (received.length === 0) return undefined;
  const known = receivedLists.get(first);
  if (known?.length === received.length && known.every((item, position) => item === received[position])) return known;
  receivedLists.set(first, received);
  return received;
}

const paths = new WeakMap<readonly string[], Map<string, readonly string[]>>();

/** The path into a nested team; always the same object, so that its rows render again only when they change. */
function pathInto({ source }: TeamItem, path: readonly string[]): readonly string[] {
  const known = paths.get(path) ?? new Map<string, readonly string[]>();
  paths.set(path, known);
  const into = known.get(source) ?? [...path, source];
  known.set(source, into);
  return into;
}
