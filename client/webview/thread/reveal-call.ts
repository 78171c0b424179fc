import { effect, signal, untracked } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TimelineItem } from "../../common/timeline/items.ts";
import { announce } from "../state/announcements.ts";
import {
  callRequest,
  historyState,
  loadEarlier,
  showsBeforeReset,
  timeline,
  toggledSections,
  toggleSection,
} from "../state/page-state.ts";
import { collapsedSectionsAround, threadRows } from "../timeline/rows.ts";
import type { ListWindow } from "./list-window.ts";

/** The row to go to; a new object for each request. */
const target = signal<{ readonly key: string } | null>(null);

/** A call may be in an earlier part of the thread: the parts are loaded one after another until it is found. */
effect(() => {
  const ref = callRequest.value?.ref;
  const [{ items }, history] = [timeline.value, historyState.value];
  if (ref !== undefined) untracked(() => reveal(ref, items, history));
});

function reveal(ref: string, items: readonly TimelineItem[], history: "more" | "loading" | "done"): void {
  const isWanted = (item: TimelineItem): boolean =>
    item.kind === "tools" && item.calls.some((call) => call.ref === ref);
  const sections = collapsedSectionsAround(items, isWanted, toggledSections.value);
  if (sections === null) {
    if (history === "more") loadEarlier();
    if (history !== "done") return;
    callRequest.value = null;
    announce("The message is no longer in the thread.");
    return;
  }
  callRequest.value = null;
  for (const section of sections) toggleSection(section);
  // What the call was given, and who approved it.
  if (!toggledSections.value.has(ref)) toggleSection(ref);
  const rowOf = () => threadRows.value.find(({ item }) => isWanted(item));
  if (rowOf() === undefined) showsBeforeReset.value = true;
  const row = rowOf();
  if (row !== undefined) target.value = { key: row.key };
}

/** Goes to the row in the list, and focuses it as soon as it is rendered. */
export function useRevealCall(list: ListWindow): void {
  const handled = useRef(target.peek());
  const wanted = useRef<string | null>(null);
  const now = target.value;
  useLayoutEffect(() => {
    if (handled.current !== now && now !== null) {
      handled.current = now;
      wanted.current = now.key;
      list.goToRow(now.key);
    }
    const row = wanted.current === null ? null : list.rowOf(wanted.current);
    if (row === null) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });
}
