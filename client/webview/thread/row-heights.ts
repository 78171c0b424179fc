/** Where a list is scrolled to: its end, also when rows are added, or a row's top, `offset` pixels below the viewport's. */
export type ScrollPosition = "end" | { readonly key: string; readonly offset: number };

/** The rendered rows: from `from` up to, but not including, `to`. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

type Keyed = { readonly key: string };

/** The assumed height of a row before any is measured, in pixels. */
const DEFAULT_HEIGHT = 64;

/** The heights of a list's rows in pixels: measured if a row was ever rendered, else the mean of the measured ones. */
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

  /** The total height of the rows from `from` up to `to`. */
  between(rows: readonly Keyed[], from: number, to: number): number {
    let sum = 0;
    for (let index = from; index < to; index++) sum += this.of(rows[index]?.key ?? "");
    return sum;
  }

  /** The rows that cover a viewport of `height` pixels at `position`, and `beyond` pixels above and below it. */
  range(rows: readonly Keyed[], position: ScrollPosition, height: number, beyond: number): RowRange {
    const at = position === "end" ? -1 : rows.findIndex(({ key }) => key === position.key);
    if (position === "end" || at < 0) {
      return { from: this.#upFrom(rows, rows.length, height, -beyond), to: rows.length };
    }
    return {
      from: this.#upFrom(rows, at, position.offset, -beyond),
      to: this.#downFrom(rows, at, position.offset, height + beyond),
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
