import { matchWithStars } from "../../glob.ts";
import type { ShellWord } from "../shell/shell-word.ts";
import { commandName } from "./command-name.ts";
import { type WordsToName, wordsToName } from "./command-options.ts";

/** One word of a pattern, split at its stars: a single text for a word without stars. */
type PatternWord = readonly string[];

/** A parsed `command` of a rule. */
export interface CommandPattern {
  readonly words: readonly PatternWord[];
  /** True when it has no star, so that it matches exactly one command. */
  readonly literal: boolean;
}

/** @throws Error when the text is not one simple command. */
export function parseCommandPattern(text: string): CommandPattern {
  const words: PatternWord[] = [];
  const tokens = text.matchAll(PATTERN_TOKEN);
  let word: string[] | undefined;
  for (const { groups = {} } of tokens) {
    if (groups["blank"] !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    if (groups["other"] !== undefined)
      throw new Error(`the command pattern ${text} contains an unquoted "${groups["other"]}"`);
    word ??= [""];
    if (groups["star"] !== undefined) word.push("");
    else
      word.push(
        `${word.pop() ?? ""}${groups["single"] ?? unescaped(groups["double"]) ?? groups["escaped"] ?? groups["plain"] ?? ""}`,
      );
  }
  if (word !== undefined) words.push(word);
  if (words.length === 0) throw new Error("the command pattern has no words");
  return { words, literal: words.every((parts) => parts.length === 1) };
}

/** Quoted texts, stars, plain text and blanks; `other` is what has a special meaning to a shell. */
const PATTERN_TOKEN =
  /(?<blank>[ \t]+)|(?<star>\*+)|'(?<single>[^']*)'|"(?<double>(?:[^"\\$`]|\\[\s\S])*)"|\\(?<escaped>[^\n])|(?<plain>[^\s;&|<>()$`'"\\*]+)|(?<other>[\s\S])/gu;

const unescaped = (text: string | undefined): string | undefined => text?.replace(/\\([$`"\\])/g, "$1");

/**
 * True for a command of exactly these words. A word that is only known at run time may be several, so only a star matches
 * it. A star does not cover words with which the program runs, loads, uploads or writes something else: a rule has to name
 * them. Only a rule of nothing but `*` covers every command.
 */
export function matchesWords({ words, literal }: CommandPattern, command: readonly ShellWord[]): boolean {
  const fits = (pattern: PatternWord, { text, dynamic }: ShellWord) => !dynamic && matchesWord(pattern, text);
  if (!matchWithStars(words, command, isStar, fits)) return false;
  if (literal || words.every(isStar)) return true;
  const toName = wordsToName(command);
  return toName.size === 0 || (!toName.has(-1) && matchesAndNames(words, command, toName));
}

/** Why the stars of a pattern do not cover a command that it otherwise matches; undefined for any other command. */
export function whyNotCovered(pattern: CommandPattern, command: readonly ShellWord[]): string | undefined {
  if (matchesWords(pattern, command)) return undefined;
  const fits = (item: PatternWord, { text, dynamic }: ShellWord) => !dynamic && matchesWord(item, text);
  if (!matchWithStars(pattern.words, command, isStar, fits)) return undefined;
  const isNamed = (text: string) => pattern.words.some(([start = ""]) => start.startsWith(text));
  for (const [place, text] of wordsToName(command)) {
    const word = command[place]?.text;
    if (word === undefined) return "the program would run what it reads from its standard input";
    if (text === undefined) return `${word} may expand to an option`;
    if (!isNamed(text)) return `with ${word} the program may run or write something else`;
  }
  return "the program may run or write something else";
}

/** Whether the words match in a way in which each of the words to name is named. */
function matchesAndNames(pattern: readonly PatternWord[], command: readonly ShellWord[], toName: WordsToName): boolean {
  let places = reachable(pattern, 0);
  for (const [at, word] of command.entries()) {
    const next = new Set<number>();
    for (const place of places) {
      const item = pattern[place];
      if (item === undefined) continue;
      if (isStar(item)) {
        if (!toName.has(at)) addReachable(next, pattern, place);
      } else if (!word.dynamic && matchesWord(item, word.text) && names(item, at, toName)) {
        addReachable(next, pattern, place + 1);
      }
    }
    places = next;
  }
  return places.has(pattern.length);
}

function names(pattern: PatternWord, at: number, toName: WordsToName): boolean {
  if (!toName.has(at) || pattern.length === 1) return true;
  const needed = toName.get(at);
  return needed !== undefined && (pattern[0] ?? "").startsWith(needed);
}

/**
 * For deny and ask rules: true for a command that starts, or might start, with these words. A word that is only known at run
 * time may be anything, options may come before the words, and an option of the pattern may come anywhere later. The
 * command's name matches regardless of folder, extension and case. With `anywhere`, the command may start at any of the
 * words. Takes time in proportion to the product of the numbers of words at most.
 */
export function mightMatchWords(
  { words: pattern }: CommandPattern,
  command: readonly ShellWord[],
  anywhere = false,
): boolean {
  if (pattern.every(isStar)) return true;
  const start = reachable(pattern, 0);
  let places = new Set<number>();
  /** Places for the word after the next: an option may have a value. */
  let later = new Set<number>();
  for (const [at, word] of command.entries()) {
    const starting = at === 0 || anywhere ? start : NONE;
    if (starting.size + places.size + later.size === 0) return false;
    const next = later;
    later = new Set();
    for (const place of starting) if (advance(pattern, place, word, matchesName, next, later)) return true;
    for (const place of places) if (advance(pattern, place, word, matchesWord, next, later)) return true;
    if (next.has(pattern.length)) return true;
    places = next;
  }
  return false;
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Adds the places of a pattern for the word after this one, and for the one after that.
 * @returns true when this word may be anything.
 */
function advance(
  pattern: readonly PatternWord[],
  place: number,
  word: ShellWord,
  fits: (item: PatternWord, text: string) => boolean,
  next: Set<number>,
  later: Set<number>,
): boolean {
  const item = pattern[place] ?? [];
  if (isStar(item)) {
    addReachable(next, pattern, place);
    return false;
  }
  if (word.dynamic) return true;
  if (fits(item, word.text)) addReachable(next, pattern, place + 1);
  const skipped = skippable(item, word, place);
  if (skipped > 0) next.add(place);
  if (skipped > 1) later.add(place);
  return false;
}

/** The places from which the next word may be matched when everything before `place` was: stars may be skipped. */
function reachable(pattern: readonly PatternWord[], place: number): Set<number> {
  const places = new Set<number>();
  addReachable(places, pattern, place);
  return places;
}

function addReachable(places: Set<number>, pattern: readonly PatternWord[], from: number): void {
  for (let place = from; ; place++) {
    places.add(place);
    const item = pattern[place];
    if (item === undefined || !isStar(item)) return;
  }
}

/**
 * How many words may be skipped before the next word of the pattern: any before an option; an option, with or without a
 * value.
 */
function skippable(pattern: PatternWord, word: ShellWord, place: number): 0 | 1 | 2 {
  if (place === 0) return 0;
  if (pattern[0]?.startsWith("-")) return 1;
  return word.text.startsWith("-") ? 2 : 0;
}

/** The words of a text that cannot be parsed, for {@link mightContain}. */
export const looseWords = (text: string): readonly string[] =>
  text
    .replace(/['"\\^]/g, "")
    .split(/[\s;&|()<>`{}$=,%]+/)
    .filter((token) => token !== "");

/**
 * For deny and ask rules on a text that cannot be parsed: true when the words of the pattern occur in it in order, with
 * anything between them.
 */
export function mightContain({ words }: CommandPattern, tokens: readonly string[]): boolean {
  let at = 0;
  for (const [index, pattern] of words.entries()) {
    if (isStar(pattern)) continue;
    const fits = index === 0 ? matchesName : matchesWord;
    while (at < tokens.length && !fits(pattern, tokens[at] ?? "")) at++;
    if (at++ >= tokens.length) return false;
  }
  return true;
}

/** A word that is just a star matches any number of words. */
const isStar = (pattern: PatternWord): boolean => pattern.length > 1 && pattern.every((part) => part === "");

function matchesWord(pattern: PatternWord, text: string): boolean {
  const [first = "", ...rest] = pattern;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** To a deny rule, `/usr/bin/RM` and `rm.exe` are `rm`. */
function matchesName(pattern: PatternWord, text: string): boolean {
  const lower = pattern.map((part) => part.toLowerCase());
  return matchesWord(pattern, text) || matchesWord(lower, text.toLowerCase()) || matchesWord(lower, commandName(text));
}
