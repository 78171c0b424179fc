import type { ApprovalRule } from "../../../shared/contract/approval.ts";
import { ruleText } from "../../../shared/contract/approval-text.ts";
import { type ApprovalContext, callFacts, type PathFindings } from "./call-facts.ts";
import { type CommandLine, changesFolder, flattenParts } from "./commands/command-line.ts";
import { commandName } from "./commands/command-name.ts";
import { possibleCommands } from "./commands/possible-commands.ts";
import type { CallToApprove } from "./evaluate-call.ts";
import type { PathPattern } from "./paths/path-pattern.ts";
import { appliesTo, parseRule } from "./rule-matching.ts";

/** What the judge asks of the file system. Paths are absolute, with links resolved. */
export interface FileNames {
  /** Whether a path, or a path below it, exists and matches; undefined if there are too many to tell. */
  holds(path: string, matches: (path: string) => boolean): Promise<boolean | undefined>;
  /** The other names in the open folders of a file with several that match; undefined if there are too many to tell. */
  otherNames(path: string, matches: (path: string) => boolean): Promise<readonly string[] | undefined>;
}

const NOTHING: PathFindings = { otherNames: [] };

/** Programs that read everything below their folder when they are given no path. */
const READ_ALL = new Set("rg ag ack ugrep fd fdfind tree find".split(" "));

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
  const names = new Set(parts.flatMap(({ words: own, assignments }) => own[assignments]?.text ?? []));
  const folder = facts.paths.find(({ use }) => use === "folder")?.path ?? call.effects?.command?.folder;
  const all =
    folder !== undefined && [...names].some((name) => readsAll(name, line)) ? [{ path: folder, word: "." }] : [];
  for (const { path, word } of [...words.filter((one) => !names.has(one.word)), ...all]) {
    const held = await files.holds(withoutWildcards(path), matches);
    if (held === undefined) return `"${word}" is a folder with too many files to look through`;
    if (held) return `"${word}" is above a file that it names`;
  }
  return undefined;
}

function readsAll(name: string, { commands }: CommandLine): boolean {
  const program = commandName(name);
  if (READ_ALL.has(program)) return true;
  const words = flattenParts(commands).flatMap((part) => part.words.map(({ text }) => text));
  if (program === "git") return words.includes("grep");
  return (
    /^(?:e|f|z)?grep$/.test(program) &&
    words.some((word) => /^(?:-[A-Za-z]*[rR]|--(?:dereference-)?recursive)/.test(word))
  );
}

/** A program may expand wildcards itself: everything below the folder before them. */
const withoutWildcards = (path: string): string =>
  /[*?[{]/.test(path) ? path.replace(/[*?[{].*$/s, "").replace(/\/[^/]*$/, "") || "/" : path;
