import type { ApprovalSubject } from "../../../shared/contract/approval.ts";
import { type ApprovalContext, callFacts } from "./call-facts.ts";
import type { CommandPart, PathPart } from "./commands/command-line.ts";
import { wordsToName } from "./commands/command-options.ts";
import { runsItsArguments } from "./commands/command-wrappers.ts";
import { type CallToApprove, evaluateCall } from "./evaluate-call.ts";
import { hasPathField } from "./input-fields.ts";
import { escapeGlob } from "./paths/path-pattern.ts";
import { NO_PLACES, type PathPlaces, shownPath } from "./paths/path-places.ts";
import { quoteWords } from "./shell/shell-word.ts";

/** For a line of more commands no rules on its commands are suggested: they would be too many to read. */
const MAX_COMMANDS = 30;

/** Of a call that names more hosts, no rules on them are suggested. */
const MAX_SITES = 10;

/**
 * The rules that a user could add when asked to approve a call, from narrow to wide: exactly this input, exactly its
 * commands, paths and hosts, its commands with any further words, the whole tool, all tools of its server. Each choice is a
 * set of rules that together allow the call; a set that would not is left out.
 */
export function suggestRules(call: CallToApprove, context: ApprovalContext): readonly (readonly ApprovalSubject[])[] {
  const tool = call.tool.name;
  const { line, isCommand, hasCommand, paths, hosts } = callFacts(call, context);
  const parts = line !== undefined && isCommand ? line.commands.flatMap(leaves) : [];
  const commands = parts.length > MAX_COMMANDS ? [] : parts;
  const named =
    isCommand || call.effects !== undefined || hasPathField(call.input)
      ? pathSubjects(tool, paths, context.places ?? NO_PLACES)
      : [];
  const sites = hasCommand ? [] : [...new Set(hosts().urls)].filter((host) => host !== undefined);
  const { provider } = call;
  const choices: readonly (readonly ApprovalSubject[])[] = [
    [{ tool, input: call.input }],
    ...(sites.length === 0 || sites.length > MAX_SITES
      ? []
      : [[...named, ...sites.map((host): ApprovalSubject => ({ tool, host }))]]),
    [...commands.map((part) => ({ tool, command: quoteWords(part.words) })), ...named],
    ...(commands.length === 0
      ? []
      : [[...commands.map((part) => ({ tool, command: widenedCommand(part) })), ...named]]),
    [{ tool }],
    ...(provider === undefined ? [] : [[{ tool: `${tool.slice(0, tool.lastIndexOf("/"))}/*` }]]),
  ];
  const seen = new Set<string>();
  // A program elsewhere could have tools of the same names.
  const bound =
    provider === undefined ? choices : choices.map((choice) => choice.map((rule) => ({ ...rule, provider })));
  return bound.filter((choice) => {
    const text = JSON.stringify(choice);
    if (seen.has(text) || !allows(choice, call, context)) return false;
    seen.add(text);
    return true;
  });
}

/** Whether these rules alone would allow the call. */
function allows(subjects: readonly ApprovalSubject[], call: CallToApprove, context: ApprovalContext): boolean {
  const rules = subjects.map((subject) => ({
    ...subject,
    id: "new",
    decision: "allow" as const,
    scope: "always" as const,
  }));
  const asking = { ...call, tool: { ...call.tool, approval: "ask" as const } };
  return rules.length > 0 && evaluateCall(asking, rules, context).decision === "allow";
}

/** The commands that need a rule: a transparent wrapper is replaced by what it runs. */
const leaves = (part: CommandPart): readonly CommandPart[] => (part.transparent ? part.inner.flatMap(leaves) : [part]);

/**
 * `npm test *` for `npm test -- x`: the program and its subcommand, with any arguments. Programs that run their arguments
 * are not widened.
 */
function widenedCommand({ words, assignments, inner }: CommandPart): string {
  const [name, second] = words.slice(assignments);
  const isPlain = name?.dynamic === false && second !== undefined && !second.dynamic && /^[A-Za-z]/.test(second.text);
  if (!isPlain || assignments > 0 || inner.length > 0 || runsItsArguments(name?.text ?? "")) return quoteWords(words);
  // What runs or writes something else is not widened either.
  return wordsToName(words).size === 0 ? `${quoteWords(words.slice(0, 2))} *` : quoteWords(words);
}

/** One rule per path, with glob characters escaped. */
function pathSubjects(tool: string, paths: readonly PathPart[], places: PathPlaces): readonly ApprovalSubject[] {
  const plain = [...new Set(paths.map(({ path }) => shownPath(path, places)))];
  return plain.map((path) => ({ tool, path: escapeGlob(path) }));
}
