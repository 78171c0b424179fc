import { RE2JS } from "re2js";
import { messageOf } from "../../../shared/contract/errors.ts";
import { Automaton } from "./automaton.ts";
import { PatternError } from "./pattern-error.ts";
import { PatternScan } from "./pattern-scan.ts";
import { programOf } from "./program.ts";
import { mayMatch } from "./required-text.ts";
import { MAX_REPEATS, toRe2 } from "./to-re2.ts";
import type { Work } from "./work.ts";

/** The limit on the length of a pattern, in characters. */
const MAX_LENGTH = 1_000;

/** The limit on the size of a compiled pattern, about one for each character after repetitions are written out. */
const MAX_SIZE = 1_000;

/** A compiled regular expression. Matching takes time in proportion to the text, whatever the expression. */
export interface Pattern {
  /** False if the text cannot match, found out much faster than by matching it. */
  mayMatch(text: string, work: Work): boolean;
  /** Starts to match a text that comes in pieces. */
  scan(): PatternScan;
  /** Whether a part of the text matches; undefined if the work is used up before that is known. */
  test(text: string, work: Work): boolean | undefined;
}

/**
 * Compiles a regular expression from outside, such as a team file, as JavaScript's flag `u` reads it. It does not have what
 * cannot be matched in linear time: lookahead, lookbehind and references back to groups.
 * @throws PatternError
 */
export function compilePattern(source: string): Pattern {
  const compiled = compile(source);
  const automaton = new Automaton(programOf(compiled));
  const check = mayMatch(compiled) ?? (() => true);
  const scan = (): PatternScan => new PatternScan(automaton);
  return {
    mayMatch: check,
    scan,
    test: (text, work) => {
      if (!check(text, work)) return false;
      const started = scan();
      const isRead = started.read(text, 0, work) === text.length;
      return started.isMatched || (isRead ? started.matchesAtEnd(work) : undefined);
    },
  };
}

/** What is wrong with a pattern, as the rest of a sentence about it; undefined if it can be used. */
export function patternProblem(source: string): string | undefined {
  try {
    compile(source);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return `is a regular expression that ${error.message}`;
    throw error;
  }
}

function compile(source: string): RE2JS {
  if (source.length > MAX_LENGTH) throw new PatternError(`is longer than ${MAX_LENGTH} characters; use a shorter one`);
  const compiled = compileRe2(toRe2(source));
  if (compiled.programSize() > MAX_SIZE) throw new PatternError(`is too large; repeat less, or use several patterns`);
  return compiled;
}

function compileRe2(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    throw new PatternError(sentenceOf(messageOf(error)));
  }
}

/** What is left for RE2 to refuse. */
function sentenceOf(message: string): string {
  const property = /\\p\{(\w+)\}/i.exec(message)?.[1];
  if (property !== undefined) return `has the unknown property \\p{${property}}; use one such as \\p{L} or \\p{Greek}`;
  if (message.includes("repeat count")) return `repeats more than ${MAX_REPEATS} times in all; use smaller counts`;
  return "is not supported; write it in a simpler way";
}
