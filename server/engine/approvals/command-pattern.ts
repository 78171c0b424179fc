import { matchWithStars } from "../glob.ts";
import type { ShellWord } from "./shell-word.ts";

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
 * it.
 */
export function matchesWords({ words }: CommandPattern, command: readonly ShellWord[]): boolean {
  return matchWithStars(words, command, isStar, (pattern, { text, dynamic }) => !dynamic && matchesWord(pattern, text));
}

/**
 * For deny and ask rules: true for a command that starts, or might start, with these words. A word that is only known at run
 * time may be anything, options may come before the words, and an option of the pattern may come anywhere later. The
 * command's name matches regardless of folder, extension and case.
 */
export function mightMatchWords({ words }: CommandPattern, command: readonly ShellWord[]): boolean {
  const known = new Map<number, boolean>();
  const could = (p: number, w: number): boolean => {
    const key = p * (command.length + 2) + w;
    const answer = known.get(key) ?? step(p, w);
    known.set(key, answer);
    return answer;
  };
  const step = (p: number, w: number): boolean => {
    const pattern = words[p];
    const word = command[w];
    if (pattern === undefined) return true;
    if (isStar(pattern)) return could(p + 1, w) || (word !== undefined && could(p, w + 1));
    if (word === undefined) return false;
    if (word.dynamic) return true;
    const fits = w === 0 ? matchesName(pattern, word.text) : matchesWord(pattern, word.text);
    return (fits && could(p + 1, w + 1)) || skippable(pattern, word, p).some((count) => could(p, w + count));
  };
  return could(0, 0);
}

/**
 * How many words may be skipped before the next word of the pattern: any before an option; an option, with or without a
 * value.
 */
function skippable(pattern: PatternWord, word: ShellWord, at: number): readonly number[] {
  if (at === 0) return [];
  if (pattern[0]?.startsWith("-")) return [1];
  return word.text.startsWith("-") ? [1, 2] : [];
}

/**
 * For deny and ask rules on a text that cannot be parsed: true when the words of the pattern occur in it in order, with
 * anything between them.
 */
export function textMightContain({ words }: CommandPattern, text: string): boolean {
  const tokens = text
    .replace(/['"\\^]/g, "")
    .split(/[\s;&|()<>`{}$=,%]+/)
    .filter((token) => token !== "");
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

/** A command's name in lower case, without its folder and extension. */
export const commandName = (text: string): string =>
  (text.split(/[/\\]/).at(-1) ?? "").toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, "");
