import { computed } from "@preact/signals";
import { type MessageItem, speakerOf, type TeamItem, type TimelineItem } from "../../common/timeline/items.ts";
import { timeline, toggledSections } from "../state/page-state.ts";
import { rosterAt } from "../state/roster.ts";
import { isOwnSpeaker } from "../text/participants.ts";

/** One row of the conversation. */
export interface ThreadRow {
  /** Unique among all rows, those of nested teams too. */
  readonly key: string;
  readonly item: TimelineItem;
  /** The participants that one goes through to the nested team it is said in; empty for the team itself. */
  readonly path: readonly string[];
  /** It begins a group of its speaker's. */
  readonly head: boolean;
  /** The messages that a nested team was given to work on, `item` the first of them; they are one row. */
  readonly received?: readonly MessageItem[];
}

const ROOT: readonly string[] = [];

/** All rows, in order. What a nested team says has rows of its own while it is unfolded, so that a long talk is windowed too. */
export const threadRows = computed<readonly ThreadRow[]>(() => {
  const all: ThreadRow[] = [];
  addRows(all, timeline.value.items, ROOT, "", toggledSections.value);
  return all;
});

/** Under which key the page remembers that a nested team was folded or unfolded by hand: it unfolds by itself while it works. */
export function teamSectionKey(key: string, { state }: TeamItem): string {
  return `${key}-${state}`;
}

/** Whether a nested team's talk is shown: as long as its participant has not told what came of it, unless the user has it otherwise. */
export function isTeamExpanded(key: string, item: TeamItem, toggled: ReadonlySet<string>): boolean {
  return (item.state !== "answered") !== toggled.has(teamSectionKey(key, item));
}

/** The fold keys of the nested teams that would have to be unfolded for `wanted` to be seen; null when it is nowhere. */
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
  let before: TimelineItem | undefined;
  let unfoldedBefore = false;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (item === undefined) continue;
    const key = prefix + item.key;
    const given = receivedAt(items, index, path);
    if (given !== undefined) {
      all.push({ key, item, path, head: true, received: given });
      index += given.length - 1;
      before = undefined;
      continue;
    }
    const speaker = speakerOf(item);
    const head = speaker === null || before === undefined || unfoldedBefore || speakerOf(before) !== speaker;
    all.push({ key, item, path, head });
    unfoldedBefore = item.kind === "team" && isTeamExpanded(key, item, toggled);
    if (item.kind === "team" && unfoldedBefore) {
      addRows(all, item.items, pathInto(item, path), `${key}/`, toggled);
    }
    before = item;
  }
}

const receivedLists = new WeakMap<TimelineItem, readonly MessageItem[]>();

/** What a nested team was given, from this item on: the same list as long as it is the same, so that its row is not drawn again. */
function receivedAt(
  items: readonly TimelineItem[],
  index: number,
  path: readonly string[],
): readonly MessageItem[] | undefined {
  const first = items[index];
  if (path.length === 0 || first === undefined) return undefined;
  const members = rosterAt(path);
  const given: MessageItem[] = [];
  for (const item of items.slice(index)) {
    if (item.kind !== "message" || isOwnSpeaker(item.source, members)) break;
    given.push(item);
  }
  if (given.length === 0) return undefined;
  const known = receivedLists.get(first);
  if (known?.length === given.length && known.every((item, place) => item === given[place])) return known;
  receivedLists.set(first, given);
  return given;
}

const paths = new WeakMap<readonly string[], Map<string, readonly string[]>>();

/** The path into a nested team, always the same object, so that its rows are drawn again only when they change. */
function pathInto({ source }: TeamItem, path: readonly string[]): readonly string[] {
  const known = paths.get(path) ?? new Map<string, readonly string[]>();
  paths.set(path, known);
  const into = known.get(source) ?? [...path, source];
  known.set(source, into);
  return into;
}
