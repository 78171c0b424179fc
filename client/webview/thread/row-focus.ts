import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { onMessageKey } from "../markdown/message-links.ts";
import { toggleSection } from "../state/page-state.ts";
import type { ThreadRow } from "../timeline/rows.ts";
import type { ListWindow } from "./list-window.ts";

/**
 * Keyboard navigation of the list. Tab reaches one row; arrow keys or j and k, Home and End move to others; Enter expands
 * and collapses. Keys pressed on buttons and fields within a row are not handled.
 */
export function useRowFocus(items: readonly ThreadRow[], list: ListWindow) {
  const [chosen, setChosen] = useState<string | null>(null);
  const wanted = useFocusWhenDrawn(list);
  const active = chosen !== null && items.some(({ key }) => key === chosen) ? chosen : items.at(-1)?.key;

  const goTo = (index: number): void => {
    const item = items[Math.max(0, Math.min(items.length - 1, index))];
    if (item === undefined) return;
    wanted.current = item.key;
    setChosen(item.key);
    if (item === items.at(-1)) list.goToEnd();
    else if (list.rowOf(item.key) === null) list.goToRow(item.key);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    onMessageKey(event);
    if (!(event.target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const onRow = event.target.dataset["key"] !== undefined;
    if (!onRow && event.target !== event.currentTarget) return;
    const from = onRow ? event.target.dataset["key"] : list.firstVisible;
    const index = items.findIndex(({ key }) => key === from);
    const move = keyMoves[event.key];
    if (move !== undefined) goTo(move(index, items.length));
    else if (event.key === "Enter" && onRow && from !== undefined) {
      list.hold(from, event.target);
      toggleSectionsOf(event.target, from);
    } else return;
    event.preventDefault();
  };

  const onFocusIn = (event: FocusEvent): void => {
    const key =
      event.target instanceof Element ? event.target.closest<HTMLElement>("[data-key]")?.dataset["key"] : undefined;
    if (key !== undefined) setChosen(key);
  };

  /** Before what was clicked expands or collapses. */
  const onClickCapture = ({ target }: Event): void => {
    const line = target instanceof Element ? target.closest("[data-section] [aria-expanded]") : null;
    const key = line?.closest<HTMLElement>("[data-key]")?.dataset["key"];
    if (line !== null && key !== undefined) list.hold(key, line);
  };

  return { active, onKeyDown, onFocusIn, onClickCapture };
}

/** The key of the row to focus as soon as it is rendered. */
function useFocusWhenDrawn(list: ListWindow) {
  const wanted = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const row = list.rowOf(wanted.current);
    if (row === null) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    list.onScroll();
  });
  return wanted;
}

const keyMoves: Readonly<Record<string, ((index: number, count: number) => number) | undefined>> = {
  ArrowDown: (index) => index + 1,
  j: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  k: (index) => index - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Expands or collapses all sections of a row; each has its key in `data-section`. */
function toggleSectionsOf(row: HTMLElement, key: string): void {
  const sections = [...row.querySelectorAll<HTMLElement>("[data-section]")].map(
    ({ dataset }) => dataset["section"] ?? key,
  );
  for (const section of sections) toggleSection(section);
}
