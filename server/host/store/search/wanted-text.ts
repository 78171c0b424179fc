/** How much of a text is given around a match, in characters. */
const BEFORE = 30;
const AFTER = 90;

/** A text to find in others, in any letter case; its spaces stand for any white space. */
export class WantedText {
  /** A part of it that JSON has as it is, apart from the case of its letters: only ASCII, as SQLite knows no other case. */
  readonly verbatim: string;
  readonly #part: RegExp;
  readonly #whole: RegExp;

  constructor(query: string) {
    this.verbatim = longest(query.toLowerCase().split(/[^!#-[\]-~]+/));
    this.#part = new RegExp(escaped(longest(query.split(/[\s"\\\p{Cc}]+/u))), "iu");
    this.#whole = new RegExp(query.trim().split(/\s+/).map(escaped).join("\\s+"), "iu");
  }

  /** Whether it may occur in a text of this JSON. */
  mayBeIn(json: string): boolean {
    return this.#part.test(json);
  }

  /** The text around its first occurrence, on one line; undefined if there is none. */
  excerptOf(text: string): string | undefined {
    const match = this.#whole.exec(text);
    if (match === null) return undefined;
    const [start, end] = [Math.max(0, match.index - BEFORE), match.index + match[0].length + AFTER];
    const excerpt = text.slice(start, end).replace(/\s+/g, " ").trim();
    return `${start > 0 ? "…" : ""}${excerpt}${end < text.length ? "…" : ""}`;
  }
}

const longest = (parts: readonly string[]): string =>
  parts.reduce((most, part) => (part.length > most.length ? part : most), "");

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
