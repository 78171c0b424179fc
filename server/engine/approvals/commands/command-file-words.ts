import { expandBraces } from "../../glob.ts";
import type { ShellWord } from "../shell/shell-word.ts";
import type { CommandLine, CommandPart } from "./command-line.ts";
import { commandName } from "./command-name.ts";
import { runsItsArguments } from "./command-wrappers.ts";

/** What a program does with the files that its words name, as far as its name tells. */
export type FileUse = "names" | "reads" | "unknown";

/** Programs that show names and properties of files, but not what is in them. */
const NAMES = new Set(["ls", "dir", "stat", "test", "[", "echo", "printf", "which", "basename", "dirname"]);
/** Programs that change no file that their words name. */
const READS = new Set([
  ...["cat", "head", "tail", "less", "more", "nl", "wc", "du", "cut", "grep", "egrep", "fgrep", "rg", "diff", "cmp"],
  ...["jq", "md5sum", "sha1sum", "sha256sum", "file"],
]);
/** Commands of Git that do the same, when they come directly after `git`. */
const GIT_NAMES = new Set(["status", "ls-files", "check-ignore", "rev-parse"]);
const GIT_READS = new Set(["diff", "log", "show", "blame", "grep", "add", "commit"]);

/** Programs that can be given code as an argument. */
const RUNS_CODE =
  /^(?:(?:python|node|perl|ruby|php|lua)[\d.]*|deno|bun|[gm]?awk|g?sed|osascript|powershell|pwsh|rscript|tclsh|groovy)$/;

/** What a command does with the files that it names. */
export function fileUseOf({ words, assignments }: CommandPart): FileUse {
  const [name, first] = words.slice(assignments);
  const program = commandName(name?.text ?? "");
  if (program === "git") {
    if (first === undefined || GIT_NAMES.has(first.text)) return "names";
    return GIT_READS.has(first.text) ? "reads" : "unknown";
  }
  if (NAMES.has(program)) return "names";
  return READS.has(program) ? "reads" : "unknown";
}

/** True when nothing on the line takes its words from elsewhere, so that what only names a file cannot pass it on. */
export const isPlainLine = ({ opaque, commands }: CommandLine): boolean =>
  opaque === undefined &&
  commands.every(
    ({ words, inner, exactOnly, opaque: why }) =>
      inner.length === 0 && exactOnly === undefined && why === undefined && words.every(({ dynamic }) => !dynamic),
  );

/** A word of a command that could name a file. */
export interface FileWord {
  readonly text: string;
  /** The shell replaces wildcards or variables in it. */
  readonly expands: boolean;
}

/**
 * What could name files in the words of a command: the words, the values of options and assignments (`--file=x`, `-fx`,
 * `X=.env`, `a:b`, `@file`), and for a program that runs its arguments as code, what is quoted in these.
 */
export function fileWordsOf({ words, assignments }: CommandPart): readonly FileWord[] {
  const name = words[assignments]?.text ?? "";
  const isCode = runsItsArguments(name) || RUNS_CODE.test(commandName(name));
  const own = words.filter((_, at) => at !== assignments);
  return own.flatMap((word) => piecesOf(word, isCode));
}

function piecesOf({ text, dynamic }: ShellWord, isCode: boolean): FileWord[] {
  const pieces = [text, ...text.split(/[=:,@]/), text.replace(/^-[A-Za-z]/, ""), ...(isCode ? textPieces(text) : [])];
  return pieces
    .flatMap((piece) => (dynamic ? expandBraces(piece) : [piece]))
    .filter((piece) => /[^-./]/.test(piece) && !piece.startsWith("//"))
    .map((piece) => ({ text: piece, expands: dynamic && /[*?[$`]/.test(piece) }));
}

/** Everything in a text that could name a file, for text that is not parsed. */
export const textPieces = (text: string): readonly string[] => text.split(/[\s'"`()[\]{};<>|&$=:,@\\^%]+/);
