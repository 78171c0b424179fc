import type { CommandPart } from "./command-line.ts";
import { commandName } from "./command-name.ts";

/** What a command that searches files reads. */
export interface SearchCommand {
  /** True unless it is certain that the command was given a path: without one, it reads the folder that it runs in. */
  readonly readsFolder: boolean;
  /** The place of the word that is certain to be the pattern that is searched for. */
  readonly pattern?: number;
}

/** How the words of a program are read. An option that is in none of the lists may take the next word. */
interface SearchProgram {
  /** Letters of options without a value. */
  readonly flags: string;
  /** Letters of options with a value. */
  readonly valued: string;
  /** True when the first operand is a pattern, unless an option gives that. */
  readonly hasPattern: boolean;
}

const GREP: SearchProgram = {
  flags: "EFGPiyvwxclLqosbHhnTzUaIrR0123456789",
  valued: "efmABCdD",
  hasPattern: true,
};
const ACK: SearchProgram = { flags: "ilLwvQc", valued: "ABCm", hasPattern: true };
const FD: SearchProgram = { flags: "HIusigFaLpl0q1", valued: "dtEeSjoc", hasPattern: true };

/** Programs that read everything below their folder when they are given no path. */
const PROGRAMS: ReadonlyMap<string, SearchProgram> = new Map([
  ["rg", { flags: "acFHhiIlLnNoPpqsSuUvwxz0.", valued: "ABCEMTdefgjmrt", hasPattern: true }],
  ["ag", ACK],
  ["ack", ACK],
  ["ugrep", GREP],
  ["fd", FD],
  ["fdfind", FD],
  ["tree", { flags: "adlfCpughDFxXJnAsri", valued: "LPI", hasPattern: false }],
]);

/** Options that take no value in any of these programs. */
const FLAGS = new Set(
  `--recursive --dereference-recursive --files --hidden --no-ignore --no-ignore-vcs --ignore-case --smart-case
  --case-sensitive --fixed-strings --extended-regexp --perl-regexp --word-regexp --line-regexp --line-number
  --no-line-number --count --files-with-matches --files-without-match --only-matching --invert-match --multiline --json
  --heading --no-heading --with-filename --no-filename --no-messages --quiet --text --follow --column --null
  --unrestricted`.split(/\s+/),
);
/** Options that give the pattern, or say that there is none. */
const GIVES_PATTERN = new Set(["--files", "-e", "-f"]);

/** Undefined for a command that reads only what its words name, as far as its name tells. */
export function searchCommand({ words, assignments }: CommandPart): SearchCommand | undefined {
  const [name = "", ...rest] = words.slice(assignments).map(({ text }) => text);
  const program = commandName(name);
  if (program === "find") return { readsFolder: !startsWithPath(rest) };
  if (program === "git") return rest.includes("grep") ? { readsFolder: !hasPathspec(rest) } : undefined;
  const isGrep = /^(?:e|f|z)?grep$/.test(program) && rest.some(isRecursive);
  const known = isGrep ? GREP : PROGRAMS.get(program);
  if (known === undefined) return undefined;
  const { readsFolder, pattern } = readWords(rest, known);
  return { readsFolder, ...(pattern === undefined ? {} : { pattern: assignments + 1 + pattern }) };
}

const isRecursive = (word: string): boolean => /^(?:-[A-Za-z]*[rR]|--(?:dereference-)?recursive)/.test(word);

/** The paths of `find` are before its expression. */
function startsWithPath(words: readonly string[]): boolean {
  const first = words.find((word) => !/^-[HLP]+$/.test(word));
  return first !== undefined && first !== "" && !/^[-(!,)]/.test(first);
}

/** Before `--` a word may be a revision, and one that starts with a colon may add or take away anything. */
function hasPathspec(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  const after = end === -1 ? [] : words.slice(end + 1);
  return after.length > 0 && after.every((word) => word !== "" && !word.startsWith(":"));
}

function readWords(words: readonly string[], program: SearchProgram): SearchCommand {
  const operands: number[] = [];
  let expectsPattern = program.hasPattern;
  let hasEnded = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (hasEnded || word === "-" || !word.startsWith("-")) operands.push(at);
    else if (word === "--") hasEnded = true;
    else {
      const option = readOption(word, program);
      if (option === undefined) return { readsFolder: true };
      if (option.givesPattern) expectsPattern = false;
      if (option.takesNext) at++;
    }
  }
  const [pattern] = operands;
  const isPattern = expectsPattern && pattern !== undefined;
  return { readsFolder: operands.length <= (expectsPattern ? 1 : 0), ...(isPattern ? { pattern } : {}) };
}

/** Undefined for an option that is not known. */
function readOption(
  word: string,
  { flags, valued }: SearchProgram,
): { readonly givesPattern: boolean; readonly takesNext: boolean } | undefined {
  if (word.startsWith("--")) {
    const isKnown = word.includes("=") || FLAGS.has(word);
    return isKnown ? { givesPattern: GIVES_PATTERN.has(word), takesNext: false } : undefined;
  }
  const letters = [...word.slice(1)];
  const at = letters.findIndex((letter) => !flags.includes(letter));
  const letter = letters[at];
  if (letter === undefined) return { givesPattern: false, takesNext: false };
  if (!valued.includes(letter)) return undefined;
  return { givesPattern: GIVES_PATTERN.has(`-${letter}`), takesNext: at === letters.length - 1 };
}
