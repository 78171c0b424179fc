import { parseShell } from "../shell/shell-parser.ts";
import type { ShellWord } from "../shell/shell-word.ts";
import { type CommandLine, flattenParts } from "./command-line.ts";
import { commandName } from "./command-name.ts";
import { type CommandPattern, looseWords, mightContain, mightMatchWords } from "./command-pattern.ts";
import { runsItsArguments } from "./command-wrappers.ts";

/** Words that might be a command. */
export interface PossibleCommand {
  readonly words: readonly ShellWord[];
  /** True when a command may also start at any later word. */
  readonly anywhere: boolean;
  /** In lower case, every name that a command in it can have; undefined when one is only known at run time. */
  readonly names?: ReadonlySet<string>;
}

interface Analysis {
  readonly possible: readonly PossibleCommand[];
  /** The words of the text, where a part of the line is unknown. */
  readonly loose?: readonly string[];
}

/** How deeply scripts in the arguments of commands are parsed. */
const MAX_DEPTH = 4;
const analyses = new WeakMap<CommandLine, Analysis>();

/** For deny rules: the parts of a line, and whatever their programs might run. */
export const possibleCommands = (line: CommandLine): readonly PossibleCommand[] => analyze(line).possible;

/** For deny rules: every distinct word that might be an argument of a command. */
export const possibleWords = (line: CommandLine): readonly string[] => [
  ...new Set([
    ...possibleCommands(line).flatMap(({ words }) => words.map(({ text }) => text)),
    ...(line.commands.length === 0 ? looseWords(line.text) : []),
  ]),
];

/** For deny and ask rules: true when a command of this line matches, or might match. */
export function lineMightMatch(pattern: CommandPattern, line: CommandLine): boolean {
  const { possible, loose } = analyze(line);
  const [name = []] = pattern.words;
  const literalName = name.length === 1 ? name[0]?.toLowerCase() : undefined;
  const matches = ({ words, anywhere, names }: PossibleCommand) =>
    (literalName === undefined || names === undefined || names.has(literalName)) &&
    mightMatchWords(pattern, words, anywhere);
  return possible.some(matches) || (loose !== undefined && mightContain(pattern, loose));
}

function analyze(line: CommandLine): Analysis {
  const known = analyses.get(line);
  if (known !== undefined) return known;
  const parts = flattenParts(line.commands);
  const scripts = new Set<string>();
  const possible = parts.flatMap(({ words, assignments }) => [
    ...commandsIn(words.slice(assignments), scripts, 0),
    ...(assignments > 0 ? [possibleCommand(words, false)] : []),
  ]);
  const isUnknown = line.opaque !== undefined || parts.some((part) => (part.opaque ?? part.exactOnly) !== undefined);
  const analysis = { possible, ...(isUnknown ? { loose: looseWords(line.text) } : {}) };
  analyses.set(line, analysis);
  return analysis;
}

/** A command, and those in its arguments if it may run them. Each script is parsed once. */
function commandsIn(words: readonly ShellWord[], scripts: Set<string>, depth: number): readonly PossibleCommand[] {
  const anywhere = words[0] !== undefined && runsItsArguments(words[0].text);
  const own = possibleCommand(words, anywhere);
  if (!anywhere || depth >= MAX_DEPTH) return [own];
  const within = words.slice(1).flatMap(({ text }) => {
    if (!/[\s;&|<>()$`]/.test(text) || scripts.has(text)) return [];
    scripts.add(text);
    return parseShell(text).commands.flatMap((command) =>
      commandsIn(command.words.slice(command.assignments), scripts, depth + 1),
    );
  });
  return [own, ...within];
}

function possibleCommand(words: readonly ShellWord[], anywhere: boolean): PossibleCommand {
  const starts = anywhere ? words : words.slice(0, 1);
  if (starts.some(({ dynamic }) => dynamic)) return { words, anywhere };
  return { words, anywhere, names: new Set(starts.flatMap(({ text }) => [text.toLowerCase(), commandName(text)])) };
}
