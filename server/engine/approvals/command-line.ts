import { commandName } from "./command-pattern.ts";
import { runsItsArguments, unwrapCommand } from "./command-wrappers.ts";
import { parseShell, type ShellCommand } from "./shell-parser.ts";
import { literalWord, type ShellWord } from "./shell-word.ts";

/** Which shell a command line is for: `sh`, or Windows' `cmd.exe`. */
export type ShellKind = "posix" | "cmd";

/** One command of a command line. */
export interface CommandPart {
  /** Its words, with the assignments before its name. */
  readonly words: readonly ShellWord[];
  /** How many of the words are assignments. */
  readonly assignments: number;
  /** What it runs besides itself. */
  readonly inner: readonly CommandPart[];
  /** True when it only runs what is in `inner`. */
  readonly transparent: boolean;
  /** Why what it runs can not be told: only a rule of exactly its words can allow it. */
  readonly exactOnly?: string;
  /** Why no rule about words can allow it. */
  readonly opaque?: string;
}

/** A file that a command line reads or writes by a redirection, or the folder that it runs in. */
export interface PathPart {
  readonly use: "read" | "write" | "folder";
  readonly path: string;
  /** Why no rule about paths can allow it. */
  readonly opaque?: string;
}

/** A command line taken apart. */
export interface CommandLine {
  readonly text: string;
  readonly commands: readonly CommandPart[];
  readonly paths: readonly PathPart[];
  /** Why the whole can not be judged by its parts. */
  readonly opaque?: string;
}

const MAX_DEPTH = 8;
/** What runs a longer command can not be looked for at each of its words. */
const MAX_WORDS = 500;
const TOO_LONG = `a command in it has more than ${MAX_WORDS} words`;
const CHANGE_FOLDER = new Set(["cd", "chdir", "pushd", "popd", "source", ".", "eval"]);

/** What a command line runs, reads and writes, each part by itself. Never throws. */
export function parseCommandLine(text: string, shell: ShellKind): CommandLine {
  return shell === "posix" ? parsePosixLine(text, 0) : parseCmdLine(text);
}

function parsePosixLine(text: string, depth: number): CommandLine {
  const script = parseShell(text);
  const paths: PathPart[] = [];
  const commands: CommandPart[] = [];
  for (const command of script.commands) {
    for (const { use, target } of command.redirects) {
      paths.push({ use, path: target.text, ...(target.dynamic ? { opaque: "its name is made at run time" } : {}) });
    }
    if (command.words.length > 0) commands.push(partOf(command, depth, paths));
  }
  const doubt = script.opaque ?? (script.commands.some(isTooLong) ? TOO_LONG : undefined);
  const moves = flattenParts(commands).some(({ words, assignments }) =>
    CHANGE_FOLDER.has(words[assignments]?.text ?? ""),
  );
  return {
    text,
    commands,
    paths: moves ? paths.map(relativeIsOpaque) : paths,
    ...(doubt === undefined ? {} : { opaque: doubt }),
  };
}

const isTooLong = ({ words }: Pick<ShellCommand, "words">): boolean => words.length > MAX_WORDS;

/** After a change of the folder nobody knows where a relative path leads. */
function relativeIsOpaque(path: PathPart): PathPart {
  return path.path.startsWith("/") ? path : { ...path, opaque: "the command changes the folder" };
}

function partOf(
  { words, assignments }: Omit<ShellCommand, "redirects">,
  depth: number,
  paths: PathPart[],
): CommandPart {
  const own = words.slice(assignments);
  const [name] = own;
  if (name?.dynamic)
    return { words, assignments, inner: [], transparent: false, opaque: "its name is made at run time" };
  const load = unwrapCommand(own);
  if (load === undefined) return { words, assignments, inner: [], transparent: false };
  if (depth >= MAX_DEPTH)
    return { words, assignments, inner: [], transparent: false, opaque: "it is nested too deeply" };
  const script = load.script === undefined ? undefined : parsePosixLine(load.script, depth + 1);
  paths.push(...(script?.paths ?? []));
  const commands = (load.commands ?? []).map((command) =>
    partOf({ words: command, assignments: assignmentsIn(command) }, depth + 1, paths),
  );
  const unclear = load.exactOnly ?? script?.opaque;
  return {
    words,
    assignments,
    inner: [...commands, ...(script?.commands ?? [])],
    // Assignments before a command that runs another reach that one too.
    transparent: load.transparent === true && assignments === 0,
    ...(unclear === undefined ? {} : { exactOnly: unclear }),
    ...(load.opaque === undefined ? {} : { opaque: load.opaque }),
  };
}

/** `env` takes assignments among its words. */
function assignmentsIn(words: readonly ShellWord[]): number {
  const first = words.findIndex(({ text }) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(text));
  return first === -1 ? words.length : first;
}

/** cmd.exe reads quotes, carets and percent signs by rules of its own: only plain words are taken apart. */
function parseCmdLine(text: string): CommandLine {
  const words = text.split(/[ \t]+/).filter((word) => word !== "");
  const name = words[0] ?? "";
  const isPlain = /^[\p{L}\p{N}_@+:./\\ \t-]*$/u.test(text) && words.length <= MAX_WORDS;
  const doubt = isPlain ? undefined : "it holds what cmd.exe reads in its own way";
  const part = {
    words: words.map(literalWord),
    assignments: 0,
    inner: [],
    transparent: false,
    ...(runsItsArguments(name) || commandName(name) === "call" ? { unclear: `\`${name}\` runs other commands` } : {}),
  };
  return { text, commands: [part], paths: [], ...(doubt === undefined ? {} : { opaque: doubt }) };
}

/** All parts, those that others run among them. */
export function flattenParts(parts: readonly CommandPart[]): readonly CommandPart[] {
  return parts.flatMap((part) => [part, ...flattenParts(part.inner)]);
}

/** Every run of words that may be a command, for rules that deny: those of the parts, and what their programs may run. */
export function possibleCommands(line: CommandLine): readonly (readonly ShellWord[])[] {
  return flattenParts(line.commands).flatMap(({ words, assignments }) => {
    const own = words.slice(assignments, assignments + MAX_WORDS);
    const whole = assignments > 0 ? [words] : [];
    if (own[0] === undefined || !runsItsArguments(own[0].text)) return [own, ...whole];
    const suffixes = own.map((_, at) => own.slice(at));
    const scripts = own.slice(1).filter(({ text }) => /[\s;&|<>()$`]/.test(text));
    const within = scripts.flatMap(({ text }) =>
      parseShell(text).commands.map((command) => command.words.slice(command.assignments)),
    );
    return [...suffixes, ...within, ...whole];
  });
}
