import { isRecord } from "../../../shared/json-record.ts";
import { textsIn } from "../json-texts.ts";
import type { CallEffects } from "../tool.ts";
import { type CommandLine, type PathPart, parseCommandLine, type ShellKind } from "./command-line.ts";
import { hostsIn, type NamedHosts } from "./host-pattern.ts";
import { normalizePath } from "./path-pattern.ts";
import { possibleWords } from "./possible-commands.ts";

/** What calls are evaluated against besides the rules: the shell that runs commands, and how paths resolve. */
export interface ApprovalContext {
  readonly shell: ShellKind;
  /**
   * Resolves links in a normalized path: relative to the workspace when inside it, else absolute. Links are not resolved
   * when this is left out.
   */
  readonly realPath?: ((path: string) => string) | undefined;
}

/** The parts of a call's input that rules can match. */
export interface CallFacts {
  /** For an input with a text field `command`. */
  readonly line?: CommandLine;
  /** True when the input is a command line and nothing else, so that rules on its parts cover the whole call. */
  readonly isCommand: boolean;
  /** The paths in the input, normalized; for a command: its redirections and the folder that it runs in. */
  readonly paths: readonly PathPart[];
  /** Every word of a command that could be a path, for deny rules. Computed only when needed. */
  readonly pathWords: () => readonly string[];
  readonly hosts: () => NamedHosts;
}

/** The fields of a command when the tool does not state its effects. Any other field could change what the command does. */
const COMMAND_FIELDS = new Set(["command", "cwd", "timeoutSeconds"]);

/** Names of input fields that hold paths. */
const PATH_FIELD =
  /^(?:(?:file|old|new|source|target|dest|destination|root|base|output|input)?_?(?:path|file|folder|dir|directory|uri)|file_?name|cwd|root|source|destination|dest|target|from|to)s?$/i;

interface FactsInput {
  readonly input: unknown;
  readonly effects?: CallEffects;
}

/** What rules can match of a call: what its tool states, else what the fields of its input suggest. Never throws. */
export function callFacts({ input, effects }: FactsInput, context: ApprovalContext): CallFacts {
  return effects === undefined ? guessedFacts(input, context) : statedFacts(effects, context);
}

function statedFacts({ command, paths, hosts }: CallEffects, context: ApprovalContext): CallFacts {
  const { shell, realPath = (path: string) => path } = context;
  const line = command && parseCommandLine(command.line, shell);
  const folder = realPath(command?.folder ?? ".");
  const used: readonly PathPart[] = paths;
  const ofLine = line === undefined ? [] : linePaths(line, folder);
  return {
    ...(line === undefined ? {} : { line }),
    isCommand: line !== undefined,
    paths: [...ofLine, ...used].map((part) => ({ ...part, path: realPath(part.path) })).filter(isJudgedPath),
    pathWords: () => (line === undefined ? [] : wordsOf(line, folder).flatMap((path) => [path, realPath(path)])),
    hosts: () => hostsIn([...(line === undefined ? [] : [line.text]), ...hosts.map((host) => `https://${host}`)]),
  };
}

/** What the names of an input's fields suggest, for a tool of a client. */
function guessedFacts(input: unknown, { shell, realPath = (path) => path }: ApprovalContext): CallFacts {
  const { command, cwd } = isRecord(input) ? input : {};
  const line = typeof command === "string" ? parseCommandLine(command, shell) : undefined;
  const isCommand = line !== undefined && Object.keys(input as object).every((key) => COMMAND_FIELDS.has(key));
  const folder = typeof cwd === "string" ? normalizePath(cwd) : ".";
  const named = isCommand ? linePaths(line, folder) : pathFields(input).map(namedPath);
  return {
    ...(line === undefined ? {} : { line }),
    isCommand,
    paths: named.map((part) => ({ ...part, path: realPath(part.path) })).filter(isJudgedPath),
    pathWords: () => (line === undefined ? [] : wordsOf(line, folder).flatMap((path) => [path, realPath(path)])),
    hosts: () => hostsIn(textsIn(input)),
  };
}

/** The folder needs its own rule: what a command does depends on where it runs. */
function linePaths(line: CommandLine, folder: string): PathPart[] {
  const redirected = line.paths.map((part) => ({
    ...part,
    path: normalizePath(part.path, folder === "." ? "" : folder),
  }));
  return [...redirected, { use: "folder", path: folder }];
}

/** Running in the workspace folder needs no rule. */
const isJudgedPath = ({ use, path }: PathPart): boolean => use !== "folder" || path !== ".";

const namedPath = (path: string): PathPart => ({ use: "read", path: normalizePath(withoutScheme(path)) });

function withoutScheme(path: string): string {
  if (!/^file:/i.test(path)) return path;
  try {
    return decodeURIComponent(new URL(path).pathname).replace(/^\/(?=[A-Za-z]:)/, "");
  } catch {
    return path;
  }
}

/** The words of a command, and the values of options such as `--file=x` and `-fx`: any of these may be a path. */
function wordsOf(line: CommandLine, folder: string): string[] {
  return possibleWords(line)
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
