import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import type { FindList } from "../find/find-bar.tsx";
import { onMessageClick } from "../markdown/message-links.ts";
import { QuestionCard } from "../question/question-card.tsx";
import { findRequest, openFind } from "../state/find-state.ts";
import { LazyPart } from "../state/lazy-part.ts";
import { historyState, loadEarlier } from "../state/page-state.ts";
import { hidesBeforeReset, type ThreadRow, threadRows } from "../timeline/rows.ts";
import { Icon } from "../ui/icon.tsx";
import { ActivityRow } from "./activity-row.tsx";
import { ListRow } from "./list-row.tsx";
import { ListWindow } from "./list-window.ts";
import { useRevealCall } from "./reveal-call.ts";
import { useRevealPendingCall } from "./reveal-pending-call.ts";
import { useRowFocus } from "./row-focus.ts";

/** The thread. Only the rows around the scroll position are rendered. */
export function MessageList() {
  const all = threadRows.value;
  const { list, scroller } = useListWindow();
  const { from, to, above, below } = list.draw(all);
  const focus = useRowFocus(all, list);
  useLayoutEffect(() => list.settle());
  useRevealPendingCall(list);
  useRevealCall(list);
  const Find = findRequest.value > 0 ? findBar.loaded : undefined;
  useFindKey();
  const total = historyState.value === "done" ? all.length : -1;
  const frame = (row: ThreadRow, index: number) => (
    <ListRow
      key={row.key}
      row={row}
      position={index + 1}
      total={total}
      focusable={focus.active === row.key}
      list={list}
    />
  );

  return (
    <div class="list-frame">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: they are those of the feed within, which may have rows alone */}
      <div
        class="list"
        tabIndex={-1}
        ref={scroller}
        onScroll={() => list.onScroll()}
        onClick={onMessageClick}
        onClickCapture={focus.onClickCapture}
        onKeyDown={focus.onKeyDown}
        onFocusIn={focus.onFocusIn}
      >
        <ListStart />
        <div role="feed" aria-label="Conversation">
          <div class="spacer" style={{ height: `${above}px` }} />
          {all.slice(from, to).map((row, index) => frame(row, from + index))}
          <div class="spacer" style={{ height: `${below}px` }} />
        </div>
        <ActivityRow />
        <QuestionCard />
      </div>
      {findRequest.value > 0 && Find !== undefined && <Find list={list} />}
      <JumpToLatest list={list} />
    </div>
  );
}

/** The find widget, which few threads need. */
const findBar = new LazyPart<ComponentType<{ readonly list: FindList }>>(() =>
  import("../find/find-bar.tsx").then(({ FindBar }) => FindBar),
);

const isMac = /Mac/.test(navigator.platform);

/** Ctrl+F, or ⌘F, finds text in the thread. */
function useFindKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
      if (key.toLowerCase() !== "f" || shiftKey || altKey || (isMac ? !metaKey || ctrlKey : !ctrlKey || metaKey))
        return;
      event.preventDefault();
      event.stopPropagation();
      openFind();
    };
    document.addEventListener("keydown", onKeyDown, { capture: true });
    return () => document.removeEventListener("keydown", onKeyDown, { capture: true });
  }, []);
  useEffect(() => {
    if (findRequest.value > 0) findBar.load();
  }, [findRequest.value]);
}

function useListWindow() {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const list = useMemo(() => new ListWindow(() => redraw(undefined), loadEarlierShown), []);
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (scroller.current === null ? undefined : list.attach(scroller.current)), [list]);
  return { list, scroller };
}

/** Loads earlier messages, unless they would not be shown. */
function loadEarlierShown(): void {
  if (!hidesBeforeReset.peek()) loadEarlier();
}

function ListStart() {
  if (historyState.value === "done" || hidesBeforeReset.value) return null;
  return (
    <div class="list-start">
      {historyState.value === "loading" ? (
        <>
          <Icon name="loading" spin /> Loading earlier messages…
        </>
      ) : (
        <button type="button" class="link-button" onClick={loadEarlier}>
          Show Earlier Messages
        </button>
      )}
    </div>
  );
}

function JumpToLatest({ list }: { readonly list: ListWindow }) {
  if (list.atEnd.value) return null;
  return (
    <button type="button" class="jump" title="Jump to Latest (End)" onClick={() => list.goToEnd()}>
      <Icon name="arrow-down" /> <span class="jump-text">Jump to latest</span>
    </button>
  );
}
