import { setImmediate } from "node:timers/promises";

/** How many lines are prepared in one turn of the event loop. */
const SLICE = 20_000;

/**
 * How lines may differ that are taken for equal, the strictest first: by nothing, at their ends, at both sides, and by
 * dashes, quotes and spaces that models write in place of typographic ones.
 */
const SAME: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) =>
    line
      .replace(/\p{Pd}|\u2212/gu, "-")
      .replace(/[\u2018-\u201B]/g, "'")
      .replace(/[\u201C-\u201F]/g, '"')
      .replace(/\p{Zs}/gu, " ")
      .trim(),
];

/** Where lines are looked for. */
export interface Search {
  /** The first line that counts. */
  readonly from: number;
  /** How many places are wanted. */
  readonly most: number;
  /** Only the last lines count. */
  readonly atEnd?: boolean;
}

/** The lines of a text, among which other lines are looked for again and again. */
export class TextLines {
  readonly all: readonly string[];
  /** The lines for each of {@link SAME}, once they are needed. */
  readonly #forms: (readonly string[])[] = [];

  constructor(lines: readonly string[]) {
    this.all = lines;
  }

  /** Where the lines are, the first places first: those of the strictest comparison that finds any. */
  async find(wanted: readonly string[], { from, most, atEnd = false }: Search): Promise<readonly number[]> {
    const first = atEnd ? Math.max(from, this.all.length - wanted.length) : from;
    for (const [at, normal] of SAME.entries()) {
      const form = this.#forms[at] ?? (await this.#formOf(normal));
      this.#forms[at] = form;
      const places = placesOf(form, first, wanted.map(normal), most);
      if (places.length > 0) return places;
    }
    return [];
  }

  async #formOf(normal: (line: string) => string): Promise<readonly string[]> {
    const form: string[] = [];
    for (const line of this.all) {
      form.push(normal(line));
      if (form.length % SLICE === 0) await setImmediate();
    }
    return form;
  }
}

/** Where the lines are, in time that grows with their number (Knuth, Morris, Pratt). */
function placesOf(lines: readonly string[], from: number, sought: readonly string[], most: number): readonly number[] {
  const borders = bordersOf(sought);
  const places: number[] = [];
  let matched = 0;
  for (let at = from; at < lines.length && places.length < most; at++) {
    const line = lines[at];
    while (matched > 0 && (matched === sought.length || sought[matched] !== line)) matched = borders[matched - 1] ?? 0;
    if (sought[matched] === line) matched++;
    if (matched === sought.length) places.push(at - matched + 1);
  }
  return places;
}

/** For each beginning of a list, the length of its longest beginning that is also its end. */
function bordersOf(lines: readonly string[]): readonly number[] {
  const borders = lines.map(() => 0);
  let length = 0;
  for (let at = 1; at < lines.length; at++) {
    while (length > 0 && lines[length] !== lines[at]) length = borders[length - 1] ?? 0;
    if (lines[length] === lines[at]) length++;
    borders[at] = length;
  }
  return borders;
}
