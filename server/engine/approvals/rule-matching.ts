import type { ApprovalRule, NewApprovalRule } from "../../../shared/contract/approval.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { CallFacts } from "./call-facts.ts";
import { type CommandLine, type CommandPart, flattenParts, type PathPart, possibleCommands } from "./command-line.ts";
import {
  type CommandPattern,
  matchesWords,
  mightMatchWords,
  parseCommandPattern,
  textMightContain,
} from "./command-pattern.ts";
import { type HostPattern, parseHostPattern } from "./host-pattern.ts";
import { type PathPattern, parsePathPattern } from "./path-pattern.ts";

/** A rule whose patterns have been read. */
export interface ParsedRule {
  readonly rule: ApprovalRule;
  readonly command?: CommandPattern;
  readonly path?: PathPattern;
  readonly host?: HostPattern;
}

/** @throws Error that says which pattern can not be read. */
export function parseRule(rule: ApprovalRule): ParsedRule {
  return {
    rule,
    ...(rule.command === undefined ? {} : { command: parseCommandPattern(rule.command) }),
    ...(rule.path === undefined ? {} : { path: parsePathPattern(rule.path) }),
    ...(rule.host === undefined ? {} : { host: parseHostPattern(rule.host) }),
  };
}

/** What is wrong with a rule's patterns, and in which field; undefined for one that can be read. */
export function ruleProblem(rule: NewApprovalRule): { readonly field: string; readonly message: string } | undefined {
  for (const field of ["command", "path", "host"] as const) {
    try {
      parseRule({ id: "new", tool: rule.tool, decision: rule.decision, scope: rule.scope, [field]: rule[field] });
    } catch (error) {
      return { field, message: messageOf(error) };
    }
  }
  return undefined;
}

/** True for a rule that says nothing about the arguments. */
export const coversAllCalls = ({ rule }: ParsedRule): boolean =>
  [rule.command, rule.path, rule.host, rule.input].every((field) => field === undefined);

/** True when a rule that denies or asks is about these arguments, or could be: any part of them is enough. */
export function mightApply({ command, path, host }: ParsedRule, facts: CallFacts): boolean {
  const { line, paths, pathWords, hosts } = facts;
  if (command !== undefined) return line !== undefined && commandMightApply(command, line);
  if (path !== undefined) {
    return (
      paths.some((part) => part.opaque !== undefined || path.mightMatch(part.path)) ||
      pathWords().some((word) => path.mightMatch(word))
    );
  }
  if (host !== undefined) {
    const { urls, words } = hosts();
    return [...urls, ...words].some((name) => name === undefined || host.matches(name));
  }
  return false;
}

function commandMightApply(pattern: CommandPattern, line: CommandLine): boolean {
  if (possibleCommands(line).some((words) => mightMatchWords(pattern, words))) return true;
  const isUnclear =
    line.opaque !== undefined ||
    flattenParts(line.commands).some((part) => (part.opaque ?? part.exactOnly) !== undefined);
  return isUnclear && textMightContain(pattern, line.text);
}

/**
 * The rules that together allow these arguments: every part of a command line needs one, and so does every path, or every host, that
 * another call names. Undefined when a part has none.
 */
export function rulesThatAllow(rules: readonly ParsedRule[], facts: CallFacts): readonly ParsedRule[] | undefined {
  const { line, isCommand, paths, hosts } = facts;
  if (line !== undefined && isCommand) return rulesThatAllowLine(rules, line, paths);
  if (paths.length > 0) {
    const found = forEach(paths, (part) => pathRule(rules, part));
    if (found !== undefined) return found;
  }
  const { urls } = hosts();
  return urls.length === 0 ? undefined : forEach(urls, (name) => hostRule(rules, name));
}

function rulesThatAllowLine(rules: readonly ParsedRule[], line: CommandLine, paths: readonly PathPart[]) {
  if (line.opaque !== undefined || line.commands.length === 0) return undefined;
  const forCommands = forEach(line.commands, (part) => commandRules(rules, part));
  const forPaths = forEach(paths, (part) => pathRule(rules, part));
  return forCommands === undefined || forPaths === undefined ? undefined : [...forCommands, ...forPaths];
}

/** A rule of exactly its words allows a command with all that it runs; else what it runs needs rules of its own. */
function commandRules(rules: readonly ParsedRule[], part: CommandPart): readonly ParsedRule[] | undefined {
  if (part.opaque !== undefined) return undefined;
  const fitting = rules.filter(({ command }) => command !== undefined && matchesWords(command, part.words));
  const exact = fitting.find(({ command }) => command?.literal);
  if (exact !== undefined) return [exact];
  if (part.exactOnly !== undefined) return undefined;
  const [own] = fitting;
  if (part.inner.length === 0) return own && [own];
  const inner = forEach(part.inner, (one) => commandRules(rules, one));
  if (inner === undefined || part.transparent) return inner;
  return own && [own, ...inner];
}

function pathRule(rules: readonly ParsedRule[], { path, opaque: doubt }: PathPart): readonly ParsedRule[] | undefined {
  if (doubt !== undefined) return undefined;
  const rule = rules.find((one) => one.path?.matches(path));
  return rule && [rule];
}

function hostRule(rules: readonly ParsedRule[], name: string | undefined): readonly ParsedRule[] | undefined {
  const rule = name === undefined ? undefined : rules.find(({ host }) => host?.matches(name));
  return rule && [rule];
}

/** What `find` finds for all items, or undefined when it finds nothing for one. */
function forEach<T>(
  items: readonly T[],
  find: (item: T) => readonly ParsedRule[] | undefined,
): readonly ParsedRule[] | undefined {
  const found: ParsedRule[] = [];
  for (const item of items) {
    const rules = find(item);
    if (rules === undefined) return undefined;
    found.push(...rules.filter((rule) => !found.includes(rule)));
  }
  return found;
}
