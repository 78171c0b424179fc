import { isRecord } from "../../../shared/json-record.ts";
import { textsIn } from "../json-texts.ts";
import type { SensitiveFiles } from "../sensitive/sensitive-files.ts";
import type { CallEffects } from "../tool.ts";
import { type CommandLine, type PathPart, parseCommandLine, type ShellKind } from "./commands/command-line.ts";
import { linePaths, type WordPath, wordPaths } from "./commands/command-paths.ts";
import { hostsIn, type NamedHosts } from "./host-pattern.ts";
import { addressTexts, hasCommandField, type PathText, pathTexts } from "./input-fields.ts";
import { NO_PLACES, type PathPlaces, possiblePaths } from "./paths/path-places.ts";

/** What a look at the disk adds to a call, for rules about paths that deny or ask. */
export interface PathFindings {
  /** Other names of the files that the call uses, which such a rule matches. */
  readonly otherNames: readonly string[];
  /** Why such a rule may apply, although none matches. */
  readonly doubt?: string;
}

/** What calls are evaluated against besides the rules: the shell that runs commands, and where paths lead. */
export interface ApprovalContext {
  readonly shell: ShellKind;
  /** Without it, paths are compared as they are written. */
  readonly places?: PathPlaces | undefined;
  /** What `findPaths` found for the call. */
  readonly findings?: PathFindings | undefined;
  /** The protected and secret files; none when left out. */
  readonly files?: SensitiveFiles | undefined;
  /** The existing paths that an absolute path with a shell's wildcards matches; undefined for too many. */
  readonly expand?: (pattern: string) => readonly string[] | undefined;
}

/** The parts of a call that rules can match. */
export interface CallFacts {
  readonly line?: CommandLine;
  /** True when the call is a command line and nothing else, so that rules on its parts cover the whole call. */
  readonly isCommand: boolean;
  /** True when the call has a command in any form. Only rules about commands, or about the whole tool, can allow it. */
  readonly hasCommand: boolean;
  /** With links resolved; for a command: its redirections and the folder that it runs in. */
  readonly paths: readonly PathPart[];
  /** Every word of a command that could be a path, for deny rules; undefined if they are too many. */
  readonly words: () => readonly WordPath[] | undefined;
  /** Other names of the files that the call uses, for deny rules. */
  readonly otherNames: readonly string[];
  readonly hosts: () => NamedHosts;
}

/** The fields of a command when the tool does not state its effects. Any other field could change what the command does. */
const COMMAND_FIELDS = new Set(["command", "cwd", "timeoutSeconds"]);

interface FactsInput {
  readonly input: unknown;
  readonly effects?: CallEffects;
}

/** What rules can match of a call: what its tool states, else what the fields of its input suggest. Never throws. */
export function callFacts({ input, effects }: FactsInput, context: ApprovalContext): CallFacts {
  const facts = effects === undefined ? guessedFacts(input, context) : statedFacts(effects, context);
  return {
    ...facts,
    words: once(facts.words),
    hosts: once(facts.hosts),
    otherNames: context.findings?.otherNames ?? [],
  };
}

/** Computes a value when it is first asked for: not every rule needs it, and many may. */
function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}

function statedFacts(
  { command, paths, hosts }: CallEffects,
  { shell, places = NO_PLACES }: ApprovalContext,
): Omit<CallFacts, "otherNames"> {
  const line = command && parseCommandLine(command.line, shell);
  const folder = places.realPath(command?.folder ?? ".");
  const used = paths.map(({ use, path }): PathPart => ({ use, path: places.realPath(path) }));
  const addresses = hosts.map((host) => `https://${host}`);
  return {
    ...lineFacts(line, folder, places),
    isCommand: line !== undefined,
    paths: [...(line === undefined ? [] : linePaths(line, folder, places)), ...used].filter(isJudged(places)),
    hosts: () => hostsIn([...(line === undefined ? [] : [line.text]), ...addresses], addresses),
  };
}

/** What the names of an input's fields suggest, for a tool of a client. */
function guessedFacts(input: unknown, { shell, places = NO_PLACES }: ApprovalContext): Omit<CallFacts, "otherNames"> {
  const { command, cwd } = isRecord(input) ? input : {};
  const line = typeof command === "string" ? parseCommandLine(command, shell) : undefined;
  const isCommand = line !== undefined && Object.keys(input as object).every((key) => COMMAND_FIELDS.has(key));
  const [folder = "."] = possiblePaths(typeof cwd === "string" ? cwd : ".", places);
  const named = pathTexts(input);
  const paths = isCommand ? linePaths(line, folder, places) : named.flatMap((field) => namedPaths(field, places));
  const isPath = (text: string): boolean =>
    named.some((field) => field.text === text) && !isOtherUrl(text) && filePath(text).opaque === undefined;
  return {
    ...lineFacts(line, folder, places),
    isCommand,
    hasCommand: hasCommandField(input),
    paths: paths.filter(isJudged(places)),
    hosts: () =>
      hostsIn(
        textsIn(input).filter((text) => !isPath(text)),
        addressTexts(input).filter((text) => !isPath(text)),
      ),
  };
}

function lineFacts(line: CommandLine | undefined, folder: string, places: PathPlaces) {
  if (line === undefined) return { hasCommand: false, words: () => [] };
  return { line, hasCommand: true, words: () => wordPaths(line, folder, places) };
}

/** Running in the workspace folder needs no rule. */
const isJudged =
  ({ roots: [first] }: PathPlaces) =>
  ({ use, path }: PathPart): boolean =>
    use !== "folder" || path !== (first?.path ?? ".");

/** The paths that a text in a field for paths may mean: none for the URL of something else. */
function namedPaths({ text, isClear }: PathText, places: PathPlaces): readonly PathPart[] {
  if (isOtherUrl(text)) return [];
  const file = filePath(text);
  const hasWildcards = /[*?{}]/.test(file.path);
  return possiblePaths(file.path, places).map((path) => ({
    use: "read",
    path,
    isClear,
    ...(hasWildcards ? { hasWildcards } : {}),
    ...(file.opaque === undefined ? {} : { opaque: file.opaque }),
  }));
}

const isOtherUrl = (text: string): boolean => /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(text);

/** The path of a `file:` URL. Only the usual form, without a host, means the same to every program. */
function filePath(text: string): { readonly path: string; readonly opaque?: string } {
  if (!/^\s*file:/i.test(text)) return { path: text };
  try {
    const url = new URL(text);
    const path = decodeURIComponent(url.pathname).replace(/^\/(?=[A-Za-z]:)/, "");
    return /^file:\/\/\/(?![/\\])/i.test(text) && url.host === ""
      ? { path }
      : { path, opaque: "its URL has an unusual form" };
  } catch {
    return { path: text, opaque: "its URL cannot be read" };
  }
}
