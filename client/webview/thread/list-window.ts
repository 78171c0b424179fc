import { type Signal, signal } from "@preact/signals";
import { RowHeights, type RowRange, type ScrollPosition } from "./row-heights.ts";

type Keyed = { readonly key: string };

/** How far beyond the viewport rows are rendered, and how near its edge may come before more are, in pixels. */
const OVERSCAN = 900;
const REDRAW_MARGIN = 300;
/** How far from the list's top a row that is scrolled to is placed, in pixels. */
const LANDING_OFFSET = 24;
/** How far below the list's top the line of an expanded row stays, in pixels. */
const HELD_MARGIN = 8;
/** A list counts as at its end within this many pixels. */
const NEAR_END = 6;

/**
 * Virtualizes a long list and keeps its scroll position. The position is a row and its offset: whatever is added, measured,
 * collapsed or growing before that row, it stays where it is on the screen. The browser's scroll anchoring is switched off,
 * because it does not know rows that are not rendered.
 */
export class ListWindow {
  readonly atEnd: Signal<boolean> = signal(true);
  readonly #heights = new RowHeights();
  readonly #redraw: () => void;
  readonly #nearStart: () => void;
  readonly #observer: ResizeObserver;
  #scroller: HTMLElement | null = null;
  #rows: readonly Keyed[] = [];
  #position: ScrollPosition = "end";
  #range: RowRange = { from: 0, to: 0 };
  #knownTop = 0;
  /** The heights of the content and of the viewport that go with `#knownTop`. */
  #knownHeights = { content: 0, viewport: 0 };

  constructor(redraw: () => void, nearStart: () => void) {
    this.#redraw = redraw;
    this.#nearStart = nearStart;
    this.#observer = new ResizeObserver((entries) => {
      for (const { target } of entries) this.#measure(target);
      this.settle();
    });
  }

  attach(scroller: HTMLElement): () => void {
    this.#scroller = scroller;
    this.#observer.observe(scroller);
    return () => this.#observer.disconnect();
  }

  observe(row: HTMLElement): () => void {
    this.#observer.observe(row);
    return () => {
      this.#observer.unobserve(row);
      // Without this, removing a focused row would move the focus out of the list.
      if (row.contains(document.activeElement)) this.#scroller?.focus({ preventScroll: true });
    };
  }

  /** The rows to render now, and the height of those before and after them. */
  draw(rows: readonly Keyed[]): RowRange & { readonly above: number; readonly below: number } {
    this.#rows = rows;
    const { from, to } = this.#heights.range(rows, this.#position, this.#viewport(), OVERSCAN);
    this.#range = { from, to };
    return {
      from,
      to,
      above: this.#heights.between(rows, 0, from),
      below: this.#heights.between(rows, to, rows.length),
    };
  }

  /** Restores the scroll position after a change, and renders rows that are missing. */
  settle(): void {
    const scroller = this.#scroller;
    if (scroller === null) return;
    // The user scrolled, and the scroll event has not arrived yet.
    if (scroller.scrollTop !== this.#knownTop) this.#readPosition(scroller);
    const wanted = this.#wantedTop(scroller);
    if (wanted !== null && Math.abs(scroller.scrollTop - wanted) >= 1) scroller.scrollTop = wanted;
    this.#note(scroller);
    this.#cover(scroller);
  }

  onScroll(): void {
    if (this.#scroller === null) return;
    this.#readPosition(this.#scroller);
    this.#note(this.#scroller);
    this.#cover(this.#scroller);
  }

  /**
   * Keeps a row where it is when the user expands or collapses it, and then scrolls what it shows into view, as far as
   * `line`, the line that was clicked, can still be seen.
   */
  hold(key: string, line: Element): void {
    const row = this.rowOf(key);
    if (this.#scroller === null || row === null) return;
    this.#position = { key, offset: row.offsetTop - this.#scroller.scrollTop };
    // The row is rendered before the next frame.
    requestAnimationFrame(() => this.#reveal(key, line));
  }

  #reveal(key: string, line: Element): void {
    const scroller = this.#scroller;
    const row = this.rowOf(key);
    if (scroller === null || row === null) return;
    const below = row.offsetTop + row.offsetHeight - scroller.scrollTop - scroller.clientHeight;
    const above = line.getBoundingClientRect().top - scroller.getBoundingClientRect().top - HELD_MARGIN;
    scroller.scrollTop += Math.max(Math.min(above, 0), Math.min(below, above));
    this.onScroll();
  }

  /** Scrolls to the end, where the list then stays. */
  goToEnd(): void {
    this.#goTo("end");
  }

  /** Scrolls to a row, which is rendered if it was not. */
  goToRow(key: string): void {
    this.#goTo({ key, offset: LANDING_OFFSET });
  }

  /** The key of the first row in the viewport. */
  get firstVisible(): string | undefined {
    const scroller = this.#scroller;
    return scroller === null ? undefined : this.#visibleRow(scroller)?.dataset["key"];
  }

  rowOf(key: string): HTMLElement | null {
    return this.#scroller?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;
  }

  #goTo(position: ScrollPosition): void {
    this.#position = position;
    this.atEnd.value = position === "end";
    if (this.#scroller !== null) this.#note(this.#scroller);
    this.#redraw();
  }

  #note({ scrollTop, scrollHeight, clientHeight }: HTMLElement): void {
    this.#knownTop = scrollTop;
    this.#knownHeights = { content: scrollHeight, viewport: clientHeight };
  }

  #viewport(): number {
    return this.#scroller?.clientHeight ?? innerHeight;
  }

  #measure(target: Element): void {
    if (!(target instanceof HTMLElement) || !target.isConnected) return;
    const { key } = target.dataset;
    if (key !== undefined) this.#heights.set(key, target.offsetHeight);
  }

  #wantedTop(scroller: HTMLElement): number | null {
    if (this.#position === "end") return scroller.scrollHeight - scroller.clientHeight;
    const row = this.rowOf(this.#position.key);
    return row === null ? null : row.offsetTop - this.#position.offset;
  }

  #readPosition(scroller: HTMLElement): void {
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const atEnd = scrollHeight - scrollTop - clientHeight <= NEAR_END;
    // Only scrolling up leaves the end; text that grew meanwhile does not. Where the content has become shorter, or the
    // viewport higher, it is the browser that has scrolled up.
    const { content, viewport } = this.#knownHeights;
    const isUser = scrollTop < this.#knownTop && scrollHeight >= content && clientHeight <= viewport;
    if (atEnd || (this.#position === "end" && !isUser)) this.#position = "end";
    else {
      const row = this.#visibleRow(scroller);
      const key = row?.dataset["key"];
      this.#position =
        row === undefined || key === undefined
          ? this.#heights.at(this.#rows, scrollTop)
          : { key, offset: row.offsetTop - scrollTop };
    }
    this.atEnd.value = this.#position === "end";
  }

  #visibleRow(scroller: HTMLElement): HTMLElement | undefined {
    const { scrollTop, clientHeight } = scroller;
    for (const row of scroller.querySelectorAll<HTMLElement>("[data-key]")) {
      if (row.offsetTop + row.offsetHeight > scrollTop && row.offsetTop < scrollTop + clientHeight) return row;
    }
    return undefined;
  }

  #cover(scroller: HTMLElement): void {
    const needed = this.#heights.range(this.#rows, this.#position, scroller.clientHeight, REDRAW_MARGIN);
    if (needed.from < this.#range.from || needed.to > this.#range.to) this.#redraw();
    else if (this.#range.from === 0 && scroller.scrollTop < REDRAW_MARGIN) this.#nearStart();
  }
}
