/** A range of lines of a text. */
export interface LineRange {
  readonly text: string;
  /** The numbers of the first and the last line in `text`; `last` is below `first` when there are none. */
  readonly first: number;
  readonly last: number;
  /** True when the text continues after `last`. */
  readonly more: boolean;
  /** True when a single line exceeded the limit and its rest is left out. */
  readonly cut: boolean;
}

/** Collects whole lines from a text that arrives in pieces, until the range is complete or the limit is reached. */
export class LineCollector {
  readonly #from: number;
  readonly #to: number;
  readonly #maxLength: number;
  #text = "";
  /** Where in `#text` the current line starts. */
  #lineStart = 0;
  #line = 1;
  #lineHasText = false;
  #full: { readonly cut: boolean } | undefined;

  /** Lines count from 1; `to` is included; `maxLength` is in characters. */
  constructor(range: { readonly from: number; readonly to: number; readonly maxLength: number }) {
    this.#from = range.from;
    this.#to = range.to;
    this.#maxLength = range.maxLength;
  }

  /** Returns false when no more text is needed. */
  push(piece: string): boolean {
    for (let at = 0; at < piece.length && this.#full === undefined; ) {
      if (this.#line > this.#to) {
        this.#full = { cut: false };
        break;
      }
      const newline = piece.indexOf("\n", at);
      const end = newline === -1 ? piece.length : newline + 1;
      if (this.#line >= this.#from) this.#take(piece.slice(at, end));
      this.#lineHasText = newline === -1;
      if (newline !== -1 && this.#full === undefined) {
        this.#line++;
        this.#lineStart = this.#text.length;
      }
      at = end;
    }
    return this.#full === undefined;
  }

  #take(text: string): void {
    const room = this.#maxLength - this.#text.length;
    if (text.length <= room) {
      this.#text += text;
      return;
    }
    // A line that does not fit is left for the next call, unless it would not fit there either.
    const cut = this.#lineStart === 0;
    this.#text = cut ? this.#text + text.slice(0, room) : this.#text.slice(0, this.#lineStart);
    this.#full = { cut };
  }

  /** How many lines were seen: all lines of the text once all of it was pushed. */
  get lineCount(): number {
    return this.#lineHasText ? this.#line : this.#line - 1;
  }

  end(): LineRange {
    const cut = this.#full?.cut ?? false;
    const last = this.#full !== undefined ? this.#line - (cut ? 0 : 1) : this.lineCount;
    return { text: this.#text, first: this.#from, last, more: this.#full !== undefined, cut };
  }
}
