import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TimelineItem } from "../../common/timeline/items.ts";
import { timeline, toggledSections, toggleSection } from "../state/page-state.ts";
import { collapsedSectionsAround, threadRows } from "../timeline/rows.ts";
import type { ListWindow } from "./list-window.ts";

/** Counts the requests to show the pending call. */
const requests = signal(0);

/** Scrolls to the first pending call and focuses it, expanding the nested teams that contain it. */
export function revealPendingCall(): void {
  for (const section of collapsedSectionsAround(timeline.value.items, isPending, toggledSections.value) ?? [])
    toggleSection(section);
  requests.value++;
}

/** Handles {@link revealPendingCall} in the list: the row may have to be rendered first. */
export function useRevealPendingCall(list: ListWindow): void {
  const handled = useRef(requests.peek());
  const target = useRef<string | null>(null);
  const requested = requests.value;
  useLayoutEffect(() => {
    if (handled.current !== requested) {
      handled.current = requested;
      target.current = threadRows.peek().find(({ item }) => isPending(item))?.key ?? null;
      if (target.current !== null) list.goToRow(target.current);
    }
    const row = target.current === null ? null : list.rowOf(target.current);
    if (row === null) return;
    target.current = null;
    row.querySelector<HTMLElement>(".pending :is(button.button, textarea)")?.focus({ preventScroll: true });
  });
}

function isPending(item: TimelineItem): boolean {
  return item.kind === "tools" && item.calls.some(({ state }) => state === "waiting");
}
