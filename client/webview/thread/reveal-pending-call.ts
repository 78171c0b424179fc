import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TimelineItem } from "../../common/timeline/items.ts";
import { timeline, toggleFold, unfolded } from "../state/page-state.ts";
import { foldsAround, rows } from "../timeline/rows.ts";
import type { ListWindow } from "./list-window.ts";

/** Where a row that the user is taken to comes to stand, in pixels from the list's top. */
const LANDING = 24;

/** Counts the wishes to be taken to the call that waits for a ruling. */
const wishes = signal(0);

/** Takes the user to the first call that waits, unfolding the nested teams that it stands in. */
export function wishForPending(): void {
  for (const fold of foldsAround(timeline.value.items, waits, unfolded.value) ?? []) toggleFold(fold);
  wishes.value++;
}

/** Follows the wish, within the list: the row may have to be put into the page first. */
export function usePendingWish(list: ListWindow): void {
  const followed = useRef(wishes.peek());
  const landing = useRef<string | null>(null);
  const wished = wishes.value;
  useLayoutEffect(() => {
    if (followed.current !== wished) {
      followed.current = wished;
      landing.current = rows.peek().find(({ item }) => waits(item))?.key ?? null;
      if (landing.current !== null) list.goTo({ key: landing.current, offset: LANDING });
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
