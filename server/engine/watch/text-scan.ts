/** What a text must have: a text within it, a match of a regular expression, or both; nothing is met by any text. */
export interface TextTest {
  readonly contains?: string | undefined;
  readonly matches?: string | undefined;
}

/** How much of a text is looked at again when more of it comes: a longer match is found when the text is whole. */
const WINDOW = 1_000;

/** What in a regular expression can make a match of a text no match of a longer one. */
const LOOKS_AHEAD = /\$|\\[bB]|\(\?[=!]/;

/**
 * Whether a text meets a test.
 * @throws SyntaxError when `matches` is no regular expression.
 */
export function meets(text: string, { contains, matches }: TextTest): boolean {
  return (
    (contains === undefined || text.includes(contains)) && (matches === undefined || new RegExp(matches).test(text))
  );
}

/**
 * A test of a text that comes in pieces. The cost of a piece does not grow with the text before it. A match that more text
 * could undo, as that of `\bno\b` in "no" by "nothing", counts when it has been followed by something, or the text is whole.
 */
export class TextScan {
  readonly #test: TextTest;
  readonly #pattern: RegExp | undefined;
  readonly #kept: number;
  readonly #waits: boolean;
  #tail = "";
  #isCut = false;
  #contains: boolean;
  #matches: boolean;

  constructor(test: TextTest) {
    const { contains, matches } = test;
    this.#test = test;
    this.#pattern = matches === undefined ? undefined : new RegExp(matches, "g");
    this.#waits = matches !== undefined && LOOKS_AHEAD.test(matches);
    this.#kept = Math.max(WINDOW, contains?.length ?? 0);
    this.#contains = contains === undefined;
    this.#matches = matches === undefined;
  }

  /** True once the text meets the test. */
  get isMet(): boolean {
    return this.#contains && this.#matches;
  }

  /** More of the text. */
  take(delta: string): void {
    if (this.isMet) return;
    const known = this.#tail.length;
    this.#tail += delta;
    const { contains = "" } = this.#test;
    this.#contains ||= this.#tail.indexOf(contains, Math.max(0, known - contains.length + 1)) >= 0;
    this.#matches ||= this.#matchesSoFar();
    if (this.#tail.length <= 2 * this.#kept) return;
    this.#tail = this.#tail.slice(-this.#kept);
    this.#isCut = true;
  }

  /** The whole text. */
  end(text: string): void {
    if (this.isMet || !meets(text, this.#test)) return;
    this.#contains = true;
    this.#matches = true;
  }

  #matchesSoFar(): boolean {
    const pattern = this.#pattern;
    if (pattern === undefined) return true;
    // What is left of a longer text has no beginning that `^` could stand for.
    pattern.lastIndex = this.#isCut ? 1 : 0;
    const match = pattern.exec(this.#tail);
    return match !== null && !(this.#waits && match.index + match[0].length === this.#tail.length);
  }
}
