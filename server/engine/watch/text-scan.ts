import { compilePattern, type Pattern } from "../pattern/pattern.ts";
import { PatternError } from "../pattern/pattern-error.ts";

/** A test of a text: it must contain a text, match a regular expression, or both. An empty test matches any text. */
export interface TextTest {
  readonly contains?: string | undefined;
  readonly matches?: string | undefined;
}

/** How many characters are scanned again when more text comes. A longer match is found only when the text is complete. */
const WINDOW = 1_000;

/** Constructs of a regular expression that can match a text but not a longer one. */
const LOOKAHEAD = /\$|\\[bB]/;

/** A test that is ready to use. */
export interface CompiledTest {
  readonly contains: string | undefined;
  readonly pattern: Pattern | undefined;
  /** True if more text could undo a match of the pattern. */
  readonly mayBeUndone: boolean;
}

/** A test with a pattern that cannot be used, such as one that an older version stored, matches any text. */
export function compileTest({ contains, matches }: TextTest): CompiledTest {
  const pattern = matches === undefined ? undefined : patternOrAny(matches);
  return { contains, pattern, mayBeUndone: matches !== undefined && LOOKAHEAD.test(matches) };
}

function patternOrAny(source: string): Pattern {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof PatternError) return compilePattern("");
    throw error;
  }
}

/** Whether a text matches a test. */
export const matchesTest = (text: string, { contains, pattern }: CompiledTest): boolean =>
  (contains === undefined || text.includes(contains)) && (pattern === undefined || pattern.test(text));

/**
 * Tests a text that comes in pieces. The cost of a piece does not depend on the length of the text before it. A match that
 * more text could undo (`\bno\b` matches "no", but not "nothing") counts once more text follows, or the text is complete.
 */
export class TextScan {
  readonly #test: CompiledTest;
  readonly #windowLength: number;
  #tail = "";
  #isCut = false;
  #contains: boolean;
  #matches: boolean;

  constructor(test: CompiledTest) {
    this.#test = test;
    this.#windowLength = Math.max(WINDOW, test.contains?.length ?? 0);
    this.#contains = test.contains === undefined;
    this.#matches = test.pattern === undefined;
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
    const { pattern, mayBeUndone } = this.#test;
    if (pattern === undefined) return true;
    // The test alone is faster. The rest of a cut text does not start where the text starts, so `^` must not match.
    const match = pattern.test(this.#tail) ? pattern.find(this.#tail, this.#isCut ? 1 : 0) : undefined;
    return match !== undefined && !(mayBeUndone && match.end === this.#tail.length);
  }
}
