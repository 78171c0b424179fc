/** A test of a text: it must contain a text, match a regular expression, or both. An empty test matches any text. */
export interface TextTest {
  readonly contains?: string | undefined;
  readonly matches?: string | undefined;
}

/** How many characters are scanned again when more text comes. A longer match is found only when the text is complete. */
const WINDOW = 1_000;

/** Constructs of a regular expression that can match a text but not a longer one. */
const LOOKAHEAD = /\$|\\[bB]|\(\?[=!]/;

/**
 * Whether a text matches a test.
 * @throws SyntaxError if `matches` is not a regular expression.
 */
export function matchesTest(text: string, { contains, matches }: TextTest): boolean {
  return (
    (contains === undefined || text.includes(contains)) && (matches === undefined || new RegExp(matches).test(text))
  );
}

/**
 * Tests a text that comes in pieces. The cost of a piece does not depend on the length of the text before it. A match that
 * more text could undo (`\bno\b` matches "no", but not "nothing") counts once more text follows, or the text is complete.
 */
export class TextScan {
  readonly #test: TextTest;
  readonly #pattern: RegExp | undefined;
  readonly #windowLength: number;
  readonly #mayBeUndone: boolean;
  #tail = "";
  #isCut = false;
  #contains: boolean;
  #matches: boolean;

  constructor(test: TextTest) {
    const { contains, matches } = test;
    this.#test = test;
    this.#pattern = matches === undefined ? undefined : new RegExp(matches, "g");
    this.#mayBeUndone = matches !== undefined && LOOKAHEAD.test(matches);
    this.#windowLength = Math.max(WINDOW, contains?.length ?? 0);
    this.#contains = contains === undefined;
    this.#matches = matches === undefined;
  }

  /** True once the text matches the test. */
  get isMatched(): boolean {
    return this.#contains && this.#matches;
  }

  /** Adds the next piece of the text. */
  add(delta: string): void {
    if (this.isMatched) return;
    const known = this.#tail.length;
    this.#tail += delta;
    const { contains = "" } = this.#test;
    this.#contains ||= this.#tail.indexOf(contains, Math.max(0, known - contains.length + 1)) >= 0;
    this.#matches ||= this.#matchesSoFar();
    if (this.#tail.length <= 2 * this.#windowLength) return;
    this.#tail = this.#tail.slice(-this.#windowLength);
    this.#isCut = true;
  }

  /** Tests the complete text. */
  end(text: string): void {
    if (this.isMatched || !matchesTest(text, this.#test)) return;
    this.#contains = true;
    this.#matches = true;
  }

  #matchesSoFar(): boolean {
    const pattern = this.#pattern;
    if (pattern === undefined) return true;
    // The rest of a cut text does not start where the text starts, so `^` must not match.
    pattern.lastIndex = this.#isCut ? 1 : 0;
    const match = pattern.exec(this.#tail);
    return match !== null && !(this.#mayBeUndone && match.index + match[0].length === this.#tail.length);
  }
}
