import { parseShell, type ShellCommand } from "../shell/shell-parser.ts";
import { literalWord, type ShellWord } from "../shell/shell-word.ts";
import { commandName } from "./command-name.ts";
import { runsItsArguments, unwrapCommand } from "./command-wrappers.ts";

/** The shell that runs a command line: `sh`, or `cmd.exe` on Windows. */
export type ShellKind = "posix" | "cmd";

/** One command of a command line. */
export interface CommandPart {
  /** Its words, including the assignments before its name. */
  readonly words: readonly ShellWord[];
  /** How many of the first words are assignments. */
  readonly assignments: number;
  /** The commands that it runs in turn, as `sudo` and `sh -c` do. */
  readonly inner: readonly CommandPart[];
  /** True when it does nothing but run `inner`, so that rules for those are enough. */
  readonly transparent: boolean;
  /** Why the commands that it runs are unknown: only a rule with exactly its words can allow it. */
  readonly exactOnly?: string;
  /** Why no command rule can allow it. */
  readonly opaque?: string;
}

/** A file or folder that a call uses; for a command: a file that it redirects from or to, or the folder that it runs in. */
export interface PathPart {
  readonly use: "read" | "write" | "search" | "folder";
  readonly path: string;
  /** True unless it is in a field of an input that may hold something else, such as `to`. */
  readonly isClear?: boolean;
  /** Why no path rule can allow it. */
  readonly opaque?: string;
  /** True when it has wildcards that the tool may expand: only a rule for exactly this text can allow it. */
  readonly hasWildcards?: boolean;
}

/** A parsed command line. */
export interface CommandLine {
  readonly text: string;
  readonly commands: readonly CommandPart[];
  readonly paths: readonly PathPart[];
  /** Why the line cannot be judged by its parts, so that no command rule can allow it. */
  readonly opaque?: string;
}

const MAX_DEPTH = 8;
/** Longer lines are not parsed. Analysis takes time in proportion to the length. */
const MAX_CHARACTERS = 20_000;
/** Options of `find` that run a command in the folder of each file. */
const RUN_IN_FOLDER = new Set(["-execdir", "-okdir"]);
const CHANGE_FOLDER = new Set(["cd", "chdir", "pushd", "popd", "source", ".", "eval"]);

/** Parses a command line into the commands that it runs and the files that it redirects. Never throws. */
export function parseCommandLine(text: string, shell: ShellKind): CommandLine {
  if (text.length > MAX_CHARACTERS)
    return { text, commands: [], paths: [], opaque: `it has more than ${MAX_CHARACTERS} characters` };
  return shell === "posix" ? parsePosixLine(text, 0) : parseCmdLine(text);
}

function parsePosixLine(text: string, depth: number): CommandLine {
  const script = parseShell(text);
  const paths: PathPart[] = [];
  const commands: CommandPart[] = [];
  for (const command of script.commands) {
    for (const { use, target } of command.redirects) {
      const opaque = opaqueTarget(target);
      paths.push({ use, path: target.text, ...(opaque === undefined ? {} : { opaque }) });
    }
    if (command.words.length > 0) commands.push(partOf(command, depth, paths));
  }
  const { opaque } = script;
  return {
    text,
    commands,
    paths: changesFolder({ commands }) ? paths.map(relativeIsOpaque) : paths,
    ...(opaque === undefined ? {} : { opaque }),
  };
}

/** True when a command may change the folder that the others run in. */
export const changesFolder = ({ commands }: Pick<CommandLine, "commands">): boolean =>
  flattenParts(commands).some(
    ({ words, assignments }) =>
      CHANGE_FOLDER.has(words[assignments]?.text ?? "") || words.some(({ text }) => RUN_IN_FOLDER.has(text)),
  );

/** Rules match paths with `/`, so a backslash in a name would be taken for a folder's end. */
function opaqueTarget({ text, dynamic }: ShellWord): string | undefined {
  if (dynamic) return "its name is only known at run time";
  return text.includes("\\") ? "its name contains a backslash" : undefined;
}

/** After a command that may change the folder, a relative path is unknown. */
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
    return { words, assignments, inner: [], transparent: false, opaque: "its name is only known at run time" };
  const wrapped = unwrapCommand(own);
  if (wrapped === undefined) return { words, assignments, inner: [], transparent: false };
  if (depth >= MAX_DEPTH)
    return { words, assignments, inner: [], transparent: false, opaque: "it is nested too deeply" };
  const script = wrapped.script === undefined ? undefined : parsePosixLine(wrapped.script, depth + 1);
  paths.push(...(script?.paths ?? []));
  const commands = (wrapped.commands ?? []).map((command) =>
    partOf({ words: command, assignments: assignmentsIn(command) }, depth + 1, paths),
  );
  const exactOnly = wrapped.exactOnly ?? script?.opaque;
  return {
    words,
    assignments,
    inner: [...commands, ...(script?.commands ?? [])],
    // Assignments before a wrapper also reach the command that it runs.
    transparent: wrapped.transparent === true && assignments === 0,
    ...(exactOnly === undefined ? {} : { exactOnly }),
    ...(wrapped.opaque === undefined ? {} : { opaque: wrapped.opaque }),
  };
}

/** The assignments that `env` takes before its command. */
function assignmentsIn(words: readonly ShellWord[]): number {
  const first = words.findIndex(({ text }) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(text));
  return first === -1 ? words.length : first;
}

/** cmd.exe has its own rules for quotes, carets and percent signs: only plain words are parsed. */
function parseCmdLine(text: string): CommandLine {
  const words = text.split(/[ \t]+/).filter((word) => word !== "");
  const name = words[0] ?? "";
  const isPlain = /^[\p{L}\p{N}_@+:./\\ \t-]*$/u.test(text);
  const opaque = isPlain ? undefined : "it contains characters that cmd.exe interprets in its own way";
  const part: CommandPart = {
    words: words.map(literalWord),
    assignments: 0,
    inner: [],
    transparent: false,
    ...(runsItsArguments(name) || commandName(name) === "call" ? { exactOnly: `\`${name}\` runs other commands` } : {}),
  };
  return { text, commands: [part], paths: [], ...(opaque === undefined ? {} : { opaque }) };
}

/** All parts, including those that other parts run. */
export function flattenParts(parts: readonly CommandPart[]): readonly CommandPart[] {
  return parts.flatMap((part) => [part, ...flattenParts(part.inner)]);
}
