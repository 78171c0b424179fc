import { type Signal, signal } from "@preact/signals";
import { RowHeights, type RowRange, type ScrollPosition } from "./row-heights.ts";

type Keyed = { readonly key: string };

/** How far beyond the viewport rows stand ready, in pixels, and how near its edge may come before more are put there. */
const OVERSCAN = 900;
const REDRAW_MARGIN = 300;
/** A list this near its end is at its end. */
const NEAR_END = 6;

/**
 * The part of a long list that stands in the page, and the reader's place in it. The place is a row, not a number of pixels:
 * whatever is put before it, is measured, folds or grows, that row stays where it was on the screen. The browser's own scroll
 * anchoring is switched off, for it can not know rows that are not there.
 */
export class ListWindow {
  readonly atEnd: Signal<boolean> = signal(true);
  readonly #heights = new RowHeights();
  readonly #redraw: () => void;
  readonly #nearStart: () => void;
  readonly #observer: ResizeObserver;
  #scroller: HTMLElement | null = null;
  #rows: readonly Keyed[] = [];
  #place: ScrollPosition = "end";
  #range: RowRange = { from: 0, to: 0 };
  #knownTop = 0;

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
      // A focused row that scrolls out would take the keyboard with it.
      if (row.contains(document.activeElement)) this.#scroller?.focus({ preventScroll: true });
    };
  }

  /** The rows to draw now, and the height of those left out before and after them. */
  draw(rows: readonly Keyed[]): RowRange & { readonly above: number; readonly below: number } {
    this.#rows = rows;
    const { from, to } = this.#heights.range(rows, this.#place, this.#viewport(), OVERSCAN);
    this.#range = { from, to };
    return {
      from,
      to,
      above: this.#heights.between(rows, 0, from),
      below: this.#heights.between(rows, to, rows.length),
    };
  }

  /** Puts the reader's place back where it was after anything changed, and asks for rows where they are missing. */
  settle(): void {
    const scroller = this.#scroller;
    if (scroller === null) return;
    // Somebody scrolled, and its event is still to come.
    if (scroller.scrollTop !== this.#knownTop) this.#readPlace(scroller);
    const wanted = this.#wantedTop(scroller);
    if (wanted !== null && Math.abs(scroller.scrollTop - wanted) >= 1) scroller.scrollTop = wanted;
    this.#knownTop = scroller.scrollTop;
    this.#cover(scroller);
  }

  onScroll(): void {
    if (this.#scroller === null) return;
    this.#readPlace(this.#scroller);
    this.#knownTop = this.#scroller.scrollTop;
    this.#cover(this.#scroller);
  }

  /** Goes to a row, or to the end and stays there. */
  goTo(place: ScrollPosition): void {
    this.#place = place;
    this.atEnd.value = place === "end";
    if (this.#scroller !== null) this.#knownTop = this.#scroller.scrollTop;
    this.#redraw();
  }

  /** The first row that can be seen. */
  get firstVisible(): string | undefined {
    const scroller = this.#scroller;
    return scroller === null ? undefined : this.#visibleRow(scroller)?.dataset["key"];
  }

  rowOf(key: string): HTMLElement | null {
    return this.#scroller?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;
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
    if (this.#place === "end") return scroller.scrollHeight - scroller.clientHeight;
    const row = this.rowOf(this.#place.key);
    return row === null ? null : row.offsetTop - this.#place.offset;
  }

  #readPlace(scroller: HTMLElement): void {
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const atEnd = scrollHeight - scrollTop - clientHeight <= NEAR_END;
    // At the end, only scrolling up leaves it: text that grew meanwhile does not.
    if (atEnd || (this.#place === "end" && scrollTop >= this.#knownTop)) this.#place = "end";
    else {
      const row = this.#visibleRow(scroller);
      const key = row?.dataset["key"];
      this.#place =
        row === undefined || key === undefined
          ? this.#heights.at(this.#rows, scrollTop)
          : { key, offset: row.offsetTop - scrollTop };
    }
    this.atEnd.value = this.#place === "end";
  }

  #visibleRow(scroller: HTMLElement): HTMLElement | undefined {
    const { scrollTop, clientHeight } = scroller;
    for (const row of scroller.querySelectorAll<HTMLElement>("[data-key]")) {
      if (row.offsetTop + row.offsetHeight > scrollTop && row.offsetTop < scrollTop + clientHeight) return row;
    }
    return undefined;
  }

  #cover(scroller: HTMLElement): void {
    const needed = this.#heights.range(this.#rows, this.#place, scroller.clientHeight, REDRAW_MARGIN);
    if (needed.from < this.#range.from || needed.to > this.#range.to) this.#redraw();
    else if (this.#range.from === 0 && scroller.scrollTop < REDRAW_MARGIN) this.#nearStart();
  }
}
