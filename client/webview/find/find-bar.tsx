import { computed, signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { messageIdOf } from "../../common/timeline/fold-message.ts";
import { closeFind, findQuery, findRequest, findTarget, matchesCase } from "../state/find-state.ts";
import {
  historyState,
  loadEarlier,
  offeredModels,
  timeline,
  toggledSections,
  toggleSection,
} from "../state/page-state.ts";
import { rosterAt } from "../state/roster.ts";
import { isTeamExpanded, teamSectionKey } from "../timeline/rows.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { clearHighlights, highlight, rangesIn } from "./find-highlights.ts";
import { Finder, type FindMatch } from "./find-matches.ts";

/** What the find widget needs of the list of rows. */
export interface FindList {
  readonly firstVisible: string | undefined;
  rowOf(key: string): HTMLElement | null;
  goToRow(key: string): void;
}

const finder = computed(() => new Finder(findQuery.value, matchesCase.value, offeredModels.value));
const matches = computed(() => finder.value.in(timeline.value.items, rosterAt));
/** The match that was gone to last. */
const current = signal<Pick<FindMatch, "key" | "nth"> | null>(null);
const currentIndex = computed(() => matches.value.findIndex((match) => isSame(match, current.value)));

const isSame = (match: FindMatch, other: Pick<FindMatch, "key" | "nth"> | null): boolean =>
  match.key === other?.key && match.nth === other.nth;

/** Finds text in the thread, also where rows are not rendered; earlier parts of the thread are loaded for it. */
export function FindBar({ list }: { readonly list: FindList }) {
  const box = useRef<HTMLInputElement>(null);
  const { show } = useHighlights(list);
  useFocus(box);
  useEarlierParts();
  useStartAtView(list, show);
  useTarget(show);

  const go = (by: 1 | -1): void => {
    const { value: all } = matches;
    const from = currentIndex.value === -1 ? startIndex(list) - (by === 1 ? 1 : 0) : currentIndex.value;
    const next = all[(from + by + all.length) % all.length];
    if (next !== undefined) show(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const { key, altKey, shiftKey } = event;
    if (key === "Enter") go(shiftKey ? -1 : 1);
    else if (key === "Escape") closeFind();
    else if (altKey && key.toLowerCase() === "c") matchesCase.value = !matchesCase.value;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  useEffect(() => {
    const onF3 = (event: KeyboardEvent): void => {
      if (event.key !== "F3") return;
      event.preventDefault();
      go(event.shiftKey ? -1 : 1);
    };
    document.addEventListener("keydown", onF3);
    return () => document.removeEventListener("keydown", onF3);
  });

  const count = matches.value.length;
  return (
    <search class="find" aria-label="Find in thread" onKeyDown={onKeyDown}>
      <input
        ref={box}
        class="find-text"
        type="text"
        placeholder="Find"
        aria-label="Find"
        spellcheck={false}
        maxLength={1000}
        value={findQuery.value}
        onInput={(event) => {
          findQuery.value = event.currentTarget.value;
        }}
      />
      <button
        type="button"
        class={`find-case${matchesCase.value ? " is-on" : ""}`}
        title="Match Case (Alt+C)"
        aria-label="Match case"
        aria-pressed={matchesCase.value}
        onClick={() => {
          matchesCase.value = !matchesCase.value;
        }}
      >
        Aa
      </button>
      <span class={count === 0 && findQuery.value !== "" ? "find-count is-none" : "find-count"} role="status">
        {countText(count, currentIndex.value)}
      </span>
      <FindButton icon="arrow-up" title="Previous Match (Shift+Enter)" disabled={count === 0} onClick={() => go(-1)} />
      <FindButton icon="arrow-down" title="Next Match (Enter)" disabled={count === 0} onClick={() => go(1)} />
      <FindButton icon="close" title="Close (Escape)" onClick={closeFind} />
    </search>
  );
}

interface ButtonProps {
  readonly icon: IconName;
  readonly title: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

function FindButton({ icon, title, disabled = false, onClick }: ButtonProps) {
  return (
    <button type="button" class="icon-button" title={title} aria-label={title} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

function countText(count: number, index: number): string {
  if (findQuery.value === "") return "";
  // More may be found in what is not loaded yet.
  const more = historyState.value === "done" ? "" : "+";
  if (count === 0) return more === "" ? "No results" : "Searching…";
  return `${index === -1 ? "?" : index + 1} of ${count}${more}`;
}

/** Each request focuses the box and selects its text; at the end the focus goes back. */
function useFocus(box: { readonly current: HTMLInputElement | null }): void {
  const before = useRef(document.activeElement);
  useLayoutEffect(() => box.current?.select(), [findRequest.value]);
  useEffect(
    () => () => {
      const { current: element } = before;
      const back = element instanceof HTMLElement && element !== document.body ? element : null;
      (back?.isConnected ? back : document.querySelector<HTMLElement>(".list"))?.focus({ preventScroll: true });
    },
    [],
  );
}

/** The thread's earlier parts are loaded one after another while something is looked for. */
function useEarlierParts(): void {
  const isWanted = findQuery.value !== "" && historyState.value === "more";
  useEffect(() => {
    if (isWanted) loadEarlier();
  }, [isWanted]);
}

/** What a request asked to be shown first is shown once it is found: it may be in an earlier part of the thread. */
function useTarget(show: (match: FindMatch) => void): void {
  const target = findTarget.value;
  const found =
    target === null ? undefined : matches.value.find(({ key }) => messageIdOf(key.split("/").at(-1) ?? "") === target);
  useEffect(() => {
    if (found === undefined) return;
    findTarget.value = null;
    show(found);
  }, [found]);
}

/** Another text is looked for from what the user sees on. */
function useStartAtView(list: FindList, show: (match: FindMatch) => void): void {
  const { value: wanted } = finder;
  const hasMatches = matches.value.length > 0;
  useEffect(() => {
    const first = matches.peek()[startIndex(list)];
    if (first === undefined) current.value = null;
    else if (findTarget.peek() !== null) return;
    else if (currentIndex.peek() === -1) show(first);
  }, [wanted, hasMatches]);
}

/** The first match in the row at the top of the view, or after it; the last one if there is none. */
function startIndex({ firstVisible }: FindList): number {
  const { value: all } = matches;
  const rendered = [...document.querySelectorAll<HTMLElement>(".list [data-key]")].map(({ dataset }) => dataset["key"]);
  const seen = new Set(rendered.slice(Math.max(0, rendered.indexOf(firstVisible))));
  const at = all.findIndex(({ key }) => seen.has(key));
  return at === -1 ? all.length - 1 : at;
}

/** Highlights what is rendered, after each change of it, and brings the current match into view. */
function useHighlights(list: FindList): { readonly show: (match: FindMatch) => void } {
  const wanted = useRef<FindMatch | null>(null);
  /** Its row's sections were expanded for it. */
  const expanded = useRef(false);
  const paint = (): void => {
    const scroller = document.querySelector<HTMLElement>(".list");
    if (scroller === null) return;
    const keys = new Set(matches.peek().map(({ key }) => key));
    const all: Range[] = [];
    let now: Range | undefined;
    for (const row of scroller.querySelectorAll<HTMLElement>("[data-key]")) {
      const { key = "" } = row.dataset;
      if (!keys.has(key)) continue;
      const ranges = rangesIn(row, findQuery.peek(), matchesCase.peek());
      for (const range of ranges) all.push(range);
      const { value: own } = current;
      if (own?.key === key) now = ranges[Math.min(own.nth, ranges.length - 1)];
    }
    highlight(all, now);
    if (wanted.current !== null) bring(wanted.current, now, scroller);
  };
  const bring = (match: FindMatch, range: Range | undefined, scroller: HTMLElement): void => {
    const row = list.rowOf(match.key);
    if (row === null) return;
    if (range === undefined && !expanded.current) {
      expanded.current = true;
      for (const header of row.querySelectorAll<HTMLElement>(".collapsible-header[aria-expanded='false']"))
        header.click();
      return;
    }
    wanted.current = null;
    const [at, view] = [(range ?? row).getBoundingClientRect(), scroller.getBoundingClientRect()];
    if (at.top < view.top + MARGIN || at.bottom > view.bottom - MARGIN)
      scroller.scrollTop += at.top - view.top - view.height / 3;
  };
  const show = (match: FindMatch): void => {
    current.value = { key: match.key, nth: match.nth };
    wanted.current = match;
    expanded.current = false;
    for (const { key, item } of match.teams)
      if (!isTeamExpanded(key, item, toggledSections.peek())) toggleSection(teamSectionKey(key, item));
    if (list.rowOf(match.key) === null) list.goToRow(match.key);
  };

  useLayoutEffect(paint);
  useEffect(() => {
    const scroller = document.querySelector(".list");
    if (scroller === null) return clearHighlights;
    const observer = new MutationObserver(paint);
    observer.observe(scroller, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      clearHighlights();
    };
  }, []);
  return { show };
}

/** How near the edge of the view, or the find widget, a match may be, in pixels. */
const MARGIN = 44;
