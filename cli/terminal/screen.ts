import type { WriteStream } from "node:tty";
import { columnsOf } from "../text/wrap.ts";

const HIDE = "\u001b[?25l";
const SHOW = "\u001b[?25h";
/** What is between these is drawn at once by terminals that know them; others ignore them. */
const TOGETHER = "\u001b[?2026h";
const DRAWN = "\u001b[?2026l";

/** The lines below what is printed for good, each shorter than the terminal is wide, and where the cursor stands. */
export interface Footer {
  readonly lines: readonly string[];
  /** Row and column in the lines; hidden without one. */
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

const NONE: Footer = { lines: [] };

/** A terminal where lines are printed for good above a footer that changes. Nothing that is printed is ever rewritten. */
export class Screen implements Disposable {
  readonly #output: WriteStream;
  #footer: Footer = NONE;
  /** Without the style of its lines, to know how many rows they take when the terminal is resized. */
  #widths: readonly number[] = [];
  #row = 0;

  constructor(output: WriteStream) {
    this.#output = output;
  }

  get columns(): number {
    return Math.max(20, this.#output.columns || 80);
  }

  get rows(): number {
    return Math.max(6, this.#output.rows || 24);
  }

  /** Prints lines for good, and draws the footer below them. */
  draw(lines: readonly string[], footer: Footer): void {
    if (lines.length === 0 && sameFooter(footer, this.#footer)) return;
    const printed = lines.map((line) => `${line}\r\n`).join("");
    this.#output.write(`${TOGETHER}${HIDE}${this.#erased()}${printed}${this.#drawn(footer)}${DRAWN}`);
  }

  /** The terminal was resized and may have broken the footer's lines: it is removed, to be drawn again. */
  resized(): void {
    const rows = this.#widths.map((width) => Math.max(1, Math.ceil(width / this.columns)));
    this.#row = Math.max(0, rows.slice(0, this.#row + 1).reduce((total, one) => total + one, 0) - 1);
    this.#output.write(this.#erased());
    this.#forget();
  }

  /** Removes the footer. */
  [Symbol.dispose](): void {
    this.#output.write(`${this.#erased()}${SHOW}`);
    this.#forget();
  }

  #forget(): void {
    this.#footer = NONE;
    this.#widths = [];
    this.#row = 0;
  }

  #erased(): string {
    return `\r${this.#row > 0 ? `\u001b[${this.#row}A` : ""}\u001b[J`;
  }

  #drawn(footer: Footer): string {
    const { lines, cursor } = footer;
    this.#footer = footer;
    this.#widths = lines.map((line) => columnsOf(line));
    const text = lines.join("\r\n");
    const last = Math.max(0, lines.length - 1);
    if (cursor === undefined) {
      this.#row = last;
      return text;
    }
    this.#row = cursor.row;
    const up = last - cursor.row;
    return `${text}\r${up > 0 ? `\u001b[${up}A` : ""}${cursor.column > 0 ? `\u001b[${cursor.column}C` : ""}${SHOW}`;
  }
}

const sameFooter = (a: Footer, b: Footer): boolean =>
  a.lines.join("\n") === b.lines.join("\n") && a.cursor?.row === b.cursor?.row && a.cursor?.column === b.cursor?.column;
