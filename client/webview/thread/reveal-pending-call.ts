import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TimelineItem } from "../../common/timeline/items.ts";
import { timeline, toggledSections, toggleSection } from "../state/page-state.ts";
import { collapsedSectionsAround, threadRows } from "../timeline/rows.ts";
import type { ListWindow } from "./list-window.ts";

/** Where a row that the user is taken to comes to stand, in pixels from the list's top. */
const LANDING_OFFSET = 24;

/** Counts the wishes to be taken to the call that waits for a ruling. */
const requests = signal(0);

/** Takes the user to the first call that waits, unfolding the nested teams that it stands in. */
export function revealPendingCall(): void {
  for (const fold of collapsedSectionsAround(timeline.value.items, waits, toggledSections.value) ?? [])
    toggleSection(fold);
  requests.value++;
}

/** Follows the wish, within the list: the row may have to be put into the page first. */
export function useRevealPendingCall(list: ListWindow): void {
  const followed = useRef(requests.peek());
  const landing = useRef<string | null>(null);
  const wished = requests.value;
  useLayoutEffect(() => {
    if (followed.current !== wished) {
      followed.current = wished;
      landing.current = threadRows.peek().find(({ item }) => waits(item))?.key ?? null;
      if (landing.current !== null) list.goTo({ key: landing.current, offset: LANDING_OFFSET });
    }
    const row = landing.current === null ? null : list.rowOf(landing.current);
    if (row === null) return;
    landing.current = null;
    row.querySelector<HTMLElement>(".pending :is(button.button, textarea)")?.focus({ preventScroll: true });
  });
}

function waits(item: TimelineItem): boolean {
  return item.kind === "tools" && item.calls.some(({ state }) => state === "waiting");
}
