/** Where the reader is: at the end, which new rows keep, or with a row's top so many pixels below the viewport's. */
export type ScrollPosition = "end" | { readonly key: string; readonly offset: number };

/** The rows that stand in the page: from `from` up to, not including, `to`. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

type Keyed = { readonly key: string };

/** What a row is taken to be high before any has been measured, in pixels. */
const DEFAULT_HEIGHT = 64;

/** The heights of a list's rows in pixels: measured where a row has been in the page, the mean of those for the rest. */
export class RowHeights {
  readonly #measured = new Map<string, number>();
  #sum = 0;

  set(key: string, height: number): void {
    this.#sum += height - (this.#measured.get(key) ?? 0);
    this.#measured.set(key, height);
  }

  of(key: string): number {
    return this.#measured.get(key) ?? (this.#measured.size === 0 ? DEFAULT_HEIGHT : this.#sum / this.#measured.size);
  }

  /** The height of the rows from `from` up to `to` together. */
  between(rows: readonly Keyed[], from: number, to: number): number {
    let sum = 0;
    for (let index = from; index < to; index++) sum += this.of(rows[index]?.key ?? "");
    return sum;
  }

  /** The rows that cover a viewport of `height` pixels at `place`, and `beyond` pixels above and below it. */
  range(rows: readonly Keyed[], place: ScrollPosition, height: number, beyond: number): RowRange {
    const at = place === "end" ? -1 : rows.findIndex(({ key }) => key === place.key);
    if (place === "end" || at < 0) {
      return { from: this.#upFrom(rows, rows.length, height, -beyond), to: rows.length };
    }
    return {
      from: this.#upFrom(rows, at, place.offset, -beyond),
      to: this.#downFrom(rows, at, place.offset, height + beyond),
    };
  }

  /** The row at `y` pixels from the top of the list, and how far below that its top is. */
  at(rows: readonly Keyed[], y: number): ScrollPosition {
    let top = 0;
    for (const { key } of rows) {
      const height = this.of(key);
      if (top + height > y) return { key, offset: top - y };
      top += height;
    }
    return "end";
  }

  #upFrom(rows: readonly Keyed[], index: number, y: number, limit: number): number {
    let first = index;
    let top = y;
    while (first > 0 && top > limit) {
      first--;
      top -= this.of(rows[first]?.key ?? "");
    }
    return first;
  }

  #downFrom(rows: readonly Keyed[], index: number, y: number, limit: number): number {
    let end = index;
    let bottom = y;
    while (end < rows.length && bottom < limit) {
      bottom += this.of(rows[end]?.key ?? "");
      end++;
    }
    return end;
  }
}
