import { type CommandLine, type PathPart, parseCommandLine, possibleCommands, type ShellKind } from "./command-line.ts";
import { hostsIn, type NamedHosts } from "./host-pattern.ts";
import { normalizePath } from "./path-pattern.ts";

/** What rules are judged in: the shell that commands are for, and where paths really lead. */
export interface ApprovalContext {
  readonly shell: ShellKind;
  /**
   * Where a normal path really leads, with links resolved: relative to the workspace when within it, else absolute. Left out, links
   * are not looked at.
   */
  readonly realPath?: ((path: string) => string) | undefined;
}

/** What an input says, as far as rules about arguments go. */
export interface CallFacts {
  /** Of an input with a text `command`. */
  readonly line?: CommandLine;
  /** True when the input is a command line and no more, so that rules about its parts say all there is to say. */
  readonly isCommand: boolean;
  /** The paths that it names, in their normal form; for a command those of its redirections and its folder. */
  readonly paths: readonly PathPart[];
  /** Every word of a command that could be a path, for rules that deny: looked up only when there is one. */
  readonly pathWords: () => readonly string[];
  readonly hosts: () => NamedHosts;
}

/** Fields of `runCommand`; a further one could change what the command does. */
const COMMAND_FIELDS = new Set(["command", "cwd", "timeoutSeconds"]);

/** Fields of an input that hold paths. */
const PATH_FIELD =
  /^(?:(?:file|old|new|source|target|dest|destination|root|base|output|input)?_?(?:path|file|folder|dir|directory|uri)|file_?name|cwd|root|source|destination|dest|target|from|to)s?$/i;

/** What the input of a call says. Never throws. */
export function callFacts(input: unknown, { shell, realPath: place = (path) => path }: ApprovalContext): CallFacts {
  const { command, cwd } = isRecord(input) ? input : {};
  const line = typeof command === "string" ? parseCommandLine(command, shell) : undefined;
  const isCommand = line !== undefined && Object.keys(input as object).every((key) => COMMAND_FIELDS.has(key));
  const folder = typeof cwd === "string" ? normalizePath(cwd) : ".";
  const named = isCommand ? linePaths(line, folder) : pathFields(input).map(namedPath);
  return {
    ...(line === undefined ? {} : { line }),
    isCommand,
    paths: named.map((part) => ({ ...part, path: place(part.path) })).filter((part) => !isUsualFolder(part)),
    pathWords: () => (line === undefined ? [] : wordsOf(line, folder).flatMap((path) => [path, place(path)])),
    hosts: () => hostsIn(textsIn(input)),
  };
}

/** The folder is a part of its own: what a command does hangs on where it runs. */
function linePaths(line: CommandLine, folder: string): PathPart[] {
  const redirected = line.paths.map((part) => ({
    ...part,
    path: normalizePath(part.path, folder === "." ? "" : folder),
  }));
  return [...redirected, { use: "folder", path: folder }];
}

/** The workspace's own folder needs no rule. */
const isUsualFolder = ({ use, path }: PathPart): boolean => use === "folder" && path === ".";

const namedPath = (path: string): PathPart => ({ use: "read", path: normalizePath(withoutScheme(path)) });

function withoutScheme(path: string): string {
  if (!/^file:/i.test(path)) return path;
  try {
    return decodeURIComponent(new URL(path).pathname).replace(/^\/(?=[A-Za-z]:)/, "");
  } catch {
    return path;
  }
}

/** Words of a command, and what stands behind the `=` of an option, as they may be paths. */
function wordsOf(line: CommandLine, folder: string): string[] {
  const words = possibleCommands(line).flatMap((command) => command.map(({ text }) => text));
  return words
    .flatMap((word) => [word, word.slice(word.indexOf("=") + 1), word.replace(/^-[A-Za-z]/, "")])
    .map((word) => normalizePath(word, folder === "." ? "" : folder));
}

function pathFields(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(pathFields);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, field]) => {
    if (!PATH_FIELD.test(key)) return pathFields(field);
    return typeof field === "string" ? [field] : Array.isArray(field) ? textsIn(field) : pathFields(field);
  });
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
