import type { ApprovalRule } from "../../../shared/contract/approval.ts";
import { ruleText } from "../../../shared/contract/approval-text.ts";
import { type ApprovalContext, callFacts, type PathFindings } from "./call-facts.ts";
import { type CommandLine, type CommandPart, changesFolder, flattenParts } from "./commands/command-line.ts";
import { possibleCommands } from "./commands/possible-commands.ts";
import { searchCommand } from "./commands/search-command.ts";
import type { CallToApprove } from "./evaluate-call.ts";
import type { PathPattern } from "./paths/path-pattern.ts";
import { appliesTo, parseRule } from "./rule-matching.ts";

/** What the judge asks of the file system. Paths are absolute, with links resolved. */
export interface FileNames {
  /**
   * Whether a path, or one below it or below the links in it, exists and matches; undefined if there are too many to tell.
   */
  holds(path: string, matches: (path: string) => boolean): Promise<boolean | undefined>;
  /** The other names in the open folders of a file with several that match; undefined if there are too many to tell. */
  otherNames(path: string, matches: (path: string) => boolean): Promise<readonly string[] | undefined>;
}

const NOTHING: PathFindings = { otherNames: [] };

/**
 * What the disk says about a call, where rules about paths deny or ask: the words of a command that lead to a folder with
 * such a file, or that are only known at run time, and files that have a second name.
 */
export async function findPaths(
  call: CallToApprove,
  rules: readonly ApprovalRule[],
  context: ApprovalContext,
  files: FileNames,
): Promise<PathFindings> {
  const patterns = rules.flatMap((rule) => deniedPattern(rule, call, context));
  if (patterns.length === 0) return NOTHING;
  const facts = callFacts(call, context);
  const matches = (path: string): boolean => patterns.some(({ pattern }) => pattern.mightMatch(path));
  const names = [
    ...new Set([...facts.paths.map(({ path }) => path), ...(facts.words() ?? []).map(({ path }) => path)]),
  ];
  const others = await Promise.all(names.map((path) => files.otherNames(path, matches)));
  const otherNames = others.flatMap((found) => found ?? []);
  const unknown = others.includes(undefined)
    ? "a file that it uses has other names, which are too many to look up"
    : undefined;
  const line = facts.line;
  const isWild = facts.paths.some(({ hasWildcards }) => hasWildcards);
  const wild = isWild ? "it has wildcards, which the tool may expand" : undefined;
  const reason = unknown ?? wild ?? (line && (await doubtOf(line, call, context, { files, matches })));
  if (reason === undefined) return { otherNames };
  const [first] = patterns;
  const doubt = `The rule "${first === undefined ? "" : ruleText(first.rule)}" may apply to this call: ${reason}.`;
  return { otherNames, doubt };
}

/** Whether a path is one that rules deny to a call or ask about; undefined when there is no such rule. */
export function restrictedPaths(
  call: CallToApprove,
  rules: readonly ApprovalRule[],
  context: ApprovalContext,
): ((path: string) => boolean) | undefined {
  const patterns = rules.flatMap((rule) => deniedPattern(rule, call, context));
  return patterns.length === 0 ? undefined : (path) => patterns.some(({ pattern }) => pattern.mightMatch(path));
}

function deniedPattern(
  rule: ApprovalRule,
  call: CallToApprove,
  context: ApprovalContext,
): readonly { readonly rule: ApprovalRule; readonly pattern: PathPattern }[] {
  if (rule.decision === "allow" || rule.path === undefined || !appliesTo(rule, call)) return [];
  try {
    const { path } = parseRule(rule, context);
    return path === undefined ? [] : [{ rule, pattern: path }];
  } catch {
    // Such a rule denies every call.
    return [];
  }
}

interface Disk {
  readonly files: FileNames;
  readonly matches: (path: string) => boolean;
}

async function doubtOf(
  line: CommandLine,
  call: CallToApprove,
  context: ApprovalContext,
  { files, matches }: Disk,
): Promise<string | undefined> {
  const parts = flattenParts(line.commands);
  const opaque = line.opaque ?? parts.find((part) => part.opaque !== undefined)?.opaque;
  if (opaque !== undefined) return opaque;
  const dynamic = possibleCommands(line)
    .flatMap(({ words }) => words)
    .find((word) => word.dynamic);
  if (dynamic !== undefined) return `"${dynamic.text}" is only known at run time`;
  if (changesFolder(line)) return "it changes the folder";
  const facts = callFacts(call, context);
  const words = facts.words();
  if (words === undefined) return "it has too many words";
  const folder = facts.paths.find(({ use }) => use === "folder")?.path ?? call.effects?.command?.folder;
  const isSearched = folder !== undefined && parts.some((part) => searchCommand(part)?.readsFolder);
  const all = isSearched ? [{ path: folder, word: "." }] : [];
  const others = wordsWithoutPath(parts);
  for (const { path, word } of [...words.filter((one) => !others.has(one.word)), ...all]) {
    const held = await files.holds(withoutWildcards(path), matches);
    if (held === undefined) return `"${word}" is a folder with too many files to look through`;
    if (held) return `"${word}" is above a file that it names`;
  }
  return undefined;
}

/** What is only the name of a program or the pattern of a search. */
function wordsWithoutPath(parts: readonly CommandPart[]): ReadonlySet<string> {
  const others = new Set<string>();
  const paths = new Set<string>();
  for (const part of parts) {
    const pattern = searchCommand(part)?.pattern;
    for (const [at, { text }] of part.words.entries()) {
      (at === part.assignments || at === pattern ? others : paths).add(text);
    }
  }
  return new Set([...others].filter((word) => !paths.has(word)));
}

/** A program may expand wildcards itself: everything below the folder before them. */
const withoutWildcards = (path: string): string =>
  /[*?[{]/.test(path) ? path.replace(/[*?[{].*$/s, "").replace(/\/[^/]*$/, "") || "/" : path;
