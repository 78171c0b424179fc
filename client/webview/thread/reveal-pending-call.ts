import { effect, signal, untracked } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TimelineItem } from "../../common/timeline/items.ts";
import { focusDecision } from "../calls/focused-decision.ts";
import { revealRequest, timeline, toggledSections, toggleSection } from "../state/page-state.ts";
import { collapsedSectionsAround, threadRows } from "../timeline/rows.ts";
import type { ListWindow } from "./list-window.ts";

/** The row that was requested last; a new object for each request. */
const request = signal<{ readonly key: string } | null>(null);

effect(() => {
  if (revealRequest.value !== null) reveal(revealRequest.value);
});

/** Scrolls to the first pending call and focuses it, expanding the nested teams that contain it. */
export function revealPendingCall(): void {
  reveal({ decision: "accept" });
}

/** Shows a call, the first one without a `ref`. Its card focuses the button as soon as it is complete. */
function reveal({ ref, decision }: { readonly ref?: string; readonly decision: "accept" | "reject" }): void {
  untracked(() => {
    const isWanted = (item: TimelineItem): boolean => pendingRef(item, ref) !== undefined;
    for (const section of collapsedSectionsAround(timeline.value.items, isWanted, toggledSections.value) ?? [])
      toggleSection(section);
    const row = threadRows.value.find(({ item }) => isWanted(item));
    if (row === undefined) return;
    focusDecision(pendingRef(row.item, ref), decision);
    request.value = { key: row.key };
  });
}

/** Handles a request in the list: the row may have to be rendered first. */
export function useRevealPendingCall(list: ListWindow): void {
  const handled = useRef(request.peek());
  const requested = request.value;
  useLayoutEffect(() => {
    if (handled.current === requested || requested === null) return;
    handled.current = requested;
    list.goToRow(requested.key);
  });
}

/** The ref of the first call of an item that waits for the user, or of this one; undefined if there is none. */
function pendingRef(item: TimelineItem, ref: string | undefined): string | undefined {
  if (item.kind !== "tools") return undefined;
  return item.calls.find((call) => call.state === "waiting" && (ref === undefined || call.ref === ref))?.ref;
}
