import type { ApprovalRule, NewApprovalRule } from "../../../shared/contract/approval.ts";
import { messageOf } from "../../../shared/errors.ts";
import type { CallFacts } from "./call-facts.ts";
import { type CommandLine, type CommandPart, flat, type PathPart, possibleCommands } from "./command-line.ts";
import { type CommandPattern, couldFit, couldHold, fitsWords, parseCommandPattern } from "./command-pattern.ts";
import { type HostPattern, parseHostPattern } from "./host-pattern.ts";
import { type PathPattern, parsePathPattern } from "./path-pattern.ts";

/** A rule whose patterns have been read. */
export interface ReadRule {
  readonly rule: ApprovalRule;
  readonly command?: CommandPattern;
  readonly path?: PathPattern;
  readonly host?: HostPattern;
}

/** @throws Error that says which pattern can not be read. */
export function readRule(rule: ApprovalRule): ReadRule {
  return {
    rule,
    ...(rule.command === undefined ? {} : { command: parseCommandPattern(rule.command) }),
    ...(rule.path === undefined ? {} : { path: parsePathPattern(rule.path) }),
    ...(rule.host === undefined ? {} : { host: parseHostPattern(rule.host) }),
  };
}

/** What is wrong with a rule's patterns, and in which field; undefined for one that can be read. */
export function ruleFault(rule: NewApprovalRule): { readonly field: string; readonly message: string } | undefined {
  for (const field of ["command", "path", "host"] as const) {
    try {
      readRule({ id: "new", tool: rule.tool, decision: rule.decision, scope: rule.scope, [field]: rule[field] });
    } catch (error) {
      return { field, message: messageOf(error) };
    }
  }
  return undefined;
}

/** True for a rule that says nothing about the arguments. */
export const isWhole = ({ rule }: ReadRule): boolean =>
  [rule.command, rule.path, rule.host, rule.input].every((field) => field === undefined);

/** True when a rule that denies or asks is about these arguments, or could be: any part of them is enough. */
export function concerns({ command, path, host }: ReadRule, facts: CallFacts): boolean {
  const { line, paths, pathWords, hosts } = facts;
  if (command !== undefined) return line !== undefined && commandConcerns(command, line);
  if (path !== undefined) {
    return (
      paths.some((part) => part.doubt !== undefined || path.couldFit(part.path)) ||
      pathWords().some((word) => path.couldFit(word))
    );
  }
  if (host !== undefined) {
    const { urls, words } = hosts();
    return [...urls, ...words].some((name) => name === undefined || host.fits(name));
  }
  return false;
}

function commandConcerns(pattern: CommandPattern, line: CommandLine): boolean {
  if (possibleCommands(line).some((words) => couldFit(pattern, words))) return true;
  const isUnclear =
    line.doubt !== undefined || flat(line.commands).some((part) => (part.doubt ?? part.unclear) !== undefined);
  return isUnclear && couldHold(pattern, line.text);
}

/**
 * The rules that together allow these arguments: every part of a command line needs one, and so does every path, or every host, that
 * another call names. Undefined when a part has none.
 */
export function allowing(rules: readonly ReadRule[], facts: CallFacts): readonly ReadRule[] | undefined {
  const { line, isCommand, paths, hosts } = facts;
  if (line !== undefined && isCommand) return allowingLine(rules, line, paths);
  if (paths.length > 0) {
    const found = forEach(paths, (part) => pathRule(rules, part));
    if (found !== undefined) return found;
  }
  const { urls } = hosts();
  return urls.length === 0 ? undefined : forEach(urls, (name) => hostRule(rules, name));
}

function allowingLine(rules: readonly ReadRule[], line: CommandLine, paths: readonly PathPart[]) {
  if (line.doubt !== undefined || line.commands.length === 0) return undefined;
  const forCommands = forEach(line.commands, (part) => commandRules(rules, part));
  const forPaths = forEach(paths, (part) => pathRule(rules, part));
  return forCommands === undefined || forPaths === undefined ? undefined : [...forCommands, ...forPaths];
}

/** A rule of exactly its words allows a command with all that it runs; else what it runs needs rules of its own. */
function commandRules(rules: readonly ReadRule[], part: CommandPart): readonly ReadRule[] | undefined {
  if (part.doubt !== undefined) return undefined;
  const fitting = rules.filter(({ command }) => command !== undefined && fitsWords(command, part.words));
  const exact = fitting.find(({ command }) => command?.literal);
  if (exact !== undefined) return [exact];
  if (part.unclear !== undefined) return undefined;
  const [own] = fitting;
  if (part.inner.length === 0) return own && [own];
  const inner = forEach(part.inner, (one) => commandRules(rules, one));
  if (inner === undefined || part.transparent) return inner;
  return own && [own, ...inner];
}

function pathRule(rules: readonly ReadRule[], { path, doubt }: PathPart): readonly ReadRule[] | undefined {
  if (doubt !== undefined) return undefined;
  const rule = rules.find((one) => one.path?.fits(path));
  return rule && [rule];
}

function hostRule(rules: readonly ReadRule[], name: string | undefined): readonly ReadRule[] | undefined {
  const rule = name === undefined ? undefined : rules.find(({ host }) => host?.fits(name));
  return rule && [rule];
}

/** What `find` finds for all items, or undefined when it finds nothing for one. */
function forEach<T>(
  items: readonly T[],
  find: (item: T) => readonly ReadRule[] | undefined,
): readonly ReadRule[] | undefined {
  const found: ReadRule[] = [];
  for (const item of items) {
    const rules = find(item);
    if (rules === undefined) return undefined;
    found.push(...rules.filter((rule) => !found.includes(rule)));
  }
  return found;
}
