import type { ApprovalRule, NewApprovalRule } from "../../../shared/contract/approval.ts";
import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import { globMatcher } from "../glob.ts";
import type { ApprovalContext, CallFacts } from "./call-facts.ts";
import { type CommandLine, type CommandPart, flattenParts, type PathPart } from "./commands/command-line.ts";
import { type CommandPattern, matchesWords, parseCommandPattern, whyNotCovered } from "./commands/command-pattern.ts";
import { lineMightMatch } from "./commands/possible-commands.ts";
import { type HostPattern, parseHostPattern } from "./host-pattern.ts";
import { type PathPattern, parsePathPattern } from "./paths/path-pattern.ts";

/** A rule with its patterns parsed. */
export interface ParsedRule {
  readonly rule: ApprovalRule;
  readonly command?: CommandPattern;
  readonly path?: PathPattern;
  readonly host?: HostPattern;
}

/** @throws Error that names the malformed pattern. */
export function parseRule(rule: ApprovalRule, { places }: Pick<ApprovalContext, "places"> = {}): ParsedRule {
  return {
    rule,
    ...(rule.command === undefined ? {} : { command: parseCommandPattern(rule.command) }),
    ...(rule.path === undefined ? {} : { path: parsePathPattern(rule.path, places) }),
    ...(rule.host === undefined ? {} : { host: parseHostPattern(rule.host) }),
  };
}

/** True for a rule about the tool, the participant and the team of a call. */
export const appliesTo = (
  { tool, provider, participant, team }: ApprovalRule,
  call: {
    readonly tool: Pick<ToolDeclaration, "name">;
    readonly provider?: string;
    readonly participant: string;
    readonly teamId: string;
  },
): boolean =>
  (participant === undefined || participant === call.participant) &&
  (team === undefined || team === call.teamId) &&
  (provider === undefined || provider === call.provider) &&
  // A star alone is every tool, also those of servers, whose names have a slash.
  (tool === "*" || globMatcher(tool)(call.tool.name));

/** The first malformed pattern of a rule, with its field; undefined for a valid rule. */
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

/** True for a rule that does not restrict the arguments. */
export const coversAllCalls = ({ rule }: ParsedRule): boolean =>
  [rule.command, rule.path, rule.host, rule.input].every((field) => field === undefined);

/** For deny and ask rules: true when any part of these arguments matches, or might match. */
export function mightApply({ command, path, host }: ParsedRule, facts: CallFacts): boolean {
  const { line, paths, words, otherNames, hosts } = facts;
  if (command !== undefined) return line !== undefined && lineMightMatch(command, line);
  if (path !== undefined) {
    return (
      paths.some((part) => part.opaque !== undefined || path.mightMatch(part.path)) ||
      otherNames.some((name) => path.mightMatch(name)) ||
      words()?.some((word) => path.mightMatch(word.path)) === true
    );
  }
  if (host !== undefined) {
    const { urls, words: names } = hosts();
    return [...urls, ...names].some((name) => name === undefined || host.matches(name));
  }
  return false;
}

/**
 * The allow rules that together cover these arguments: each part of a command line needs one; for other inputs each path and
 * each address, or each host and each path in a field that is clearly one. Undefined when a part has none.
 */
export function rulesThatAllow(rules: readonly ParsedRule[], facts: CallFacts): readonly ParsedRule[] | undefined {
  const { line, isCommand, hasCommand, paths, hosts } = facts;
  if (line !== undefined && isCommand) return rulesThatAllowLine(rules, line, paths);
  // A rule about a path or a host would allow any command.
  if (hasCommand) return undefined;
  const { urls, addresses } = hosts();
  const forPaths = paths.length === 0 ? undefined : forEach(paths, (part) => pathRule(rules, part));
  const forAddresses = forPaths && forEach(addresses, (name) => hostRule(rules, name));
  if (forAddresses !== undefined) return [...new Set([...(forPaths ?? []), ...forAddresses])];
  const forClearPaths = forEach(
    paths.filter(({ isClear = true }) => isClear),
    (part) => pathRule(rules, part),
  );
  const forUrls = urls.length === 0 ? undefined : forClearPaths && forEach(urls, (name) => hostRule(rules, name));
  return forUrls && [...new Set([...(forClearPaths ?? []), ...forUrls])];
}

function rulesThatAllowLine(rules: readonly ParsedRule[], line: CommandLine, paths: readonly PathPart[]) {
  if (line.opaque !== undefined || line.commands.length === 0) return undefined;
  const forCommands = forEach(line.commands, (part) => commandRules(rules, part));
  const forPaths = forEach(paths, (part) => pathRule(rules, part));
  return forCommands === undefined || forPaths === undefined ? undefined : [...forCommands, ...forPaths];
}

/**
 * A rule with exactly its words allows a command and everything that it runs; otherwise each of these needs its own rule.
 */
function commandRules(rules: readonly ParsedRule[], part: CommandPart): readonly ParsedRule[] | undefined {
  if (part.opaque !== undefined) return undefined;
  const matching = rules.filter(({ command }) => command !== undefined && matchesWords(command, part.words));
  const exact = matching.find(({ command }) => command?.literal);
  if (exact !== undefined) return [exact];
  if (part.exactOnly !== undefined) return undefined;
  const [own] = matching;
  if (part.inner.length === 0) return own && [own];
  const inner = forEach(part.inner, (one) => commandRules(rules, one));
  if (inner === undefined || part.transparent) return inner;
  return own && [own, ...inner];
}

function pathRule(
  rules: readonly ParsedRule[],
  { path, opaque, hasWildcards = false }: PathPart,
): readonly ParsedRule[] | undefined {
  if (opaque !== undefined) return undefined;
  const rule = rules.find((one) => one.path?.matches(path) && (!hasWildcards || one.path.isLiteral));
  return rule && [rule];
}

function hostRule(rules: readonly ParsedRule[], name: string | undefined): readonly ParsedRule[] | undefined {
  const rule = name === undefined ? undefined : rules.find(({ host }) => host?.matches(name));
  return rule && [rule];
}

/** The first allow rule that allows a part of a command but for its options, and why it does not; undefined without one. */
export function nearlyAllows(
  rules: readonly ParsedRule[],
  { line }: CallFacts,
): { readonly rule: ApprovalRule; readonly why: string } | undefined {
  for (const { words } of line === undefined ? [] : flattenParts(line.commands)) {
    for (const { rule, command } of rules) {
      const why = command && whyNotCovered(command, words);
      if (why !== undefined) return { rule, why };
    }
  }
  return undefined;
}

/** What `find` returns for all items, each rule once; undefined when it returns undefined for one of them. */
function forEach<T>(
  items: readonly T[],
  find: (item: T) => readonly ParsedRule[] | undefined,
): readonly ParsedRule[] | undefined {
  const found = new Set<ParsedRule>();
  for (const item of items) {
    const rules = find(item);
    if (rules === undefined) return undefined;
    for (const rule of rules) found.add(rule);
  }
  return [...found];
}
