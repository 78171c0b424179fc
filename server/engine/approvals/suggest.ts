import type { ApprovalSubject } from "../../../shared/contract/approval.ts";
import { factsOf, type Surroundings } from "./call-facts.ts";
import { runsItsWords } from "./carriers.ts";
import type { CommandPart, PathPart } from "./command-line.ts";
import { type JudgedCall, judge } from "./judge.ts";
import { writtenOut } from "./shell-word.ts";

/**
 * What a user could allow when asked about a call, from the narrowest to the widest: exactly this input, the words of its
 * commands, those of its commands whatever follows them, its paths, the tool. Each choice is the rules that together allow the
 * call; one that would not is left out.
 */
export function suggestions(call: JudgedCall, surroundings: Surroundings): readonly (readonly ApprovalSubject[])[] {
  const tool = call.tool.name;
  const { line, isCommand, paths } = factsOf(call.input, surroundings);
  const commands = line !== undefined && isCommand ? line.commands.flatMap(leaves) : [];
  const named = isCommand || saysPath(call.input) ? pathSubjects(tool, paths) : [];
  const choices: readonly (readonly ApprovalSubject[])[] = [
    [{ tool, input: call.input }],
    [...commands.map((part) => ({ tool, command: writtenOut(part.words) })), ...named],
    ...(commands.length === 0 ? [] : [[...commands.map((part) => ({ tool, command: widened(part) })), ...named]]),
    [{ tool }],
  ];
  const seen = new Set<string>();
  return choices.filter((choice) => {
    const text = JSON.stringify(choice);
    if (seen.has(text) || !allows(choice, call, surroundings)) return false;
    seen.add(text);
    return true;
  });
}

/** Whether the rules would let the call run, were there no others. */
function allows(subjects: readonly ApprovalSubject[], call: JudgedCall, surroundings: Surroundings): boolean {
  const rules = subjects.map((subject) => ({
    ...subject,
    id: "new",
    decision: "allow" as const,
    scope: "always" as const,
  }));
  const asking = { ...call, tool: { ...call.tool, approval: "ask" as const } };
  return rules.length > 0 && judge(asking, rules, surroundings).decision === "allow";
}

/** The commands that need a rule: in the place of one that only runs others, those. */
const leaves = (part: CommandPart): readonly CommandPart[] => (part.transparent ? part.inner.flatMap(leaves) : [part]);

/** `npm test *` for `npm test -- x`: the program and what it is told to do, whatever follows. No program that runs its words is widened. */
function widened({ words, assignments, inner }: CommandPart): string {
  const [name, second] = words.slice(assignments);
  const isPlain = second !== undefined && !second.dynamic && /^[A-Za-z]/.test(second.text);
  if (!isPlain || assignments > 0 || inner.length > 0 || runsItsWords(name?.text ?? "")) return writtenOut(words);
  return `${writtenOut(words.slice(0, 2))} *`;
}

/** Fields such as `to` may hold a path, and are judged so; it is offered where the input says that it is one. */
const saysPath = (input: unknown): boolean =>
  typeof input === "object" &&
  input !== null &&
  Object.keys(input).some((key) => /path|file|folder|dir|uri/i.test(key));

/** Each path by itself, with the characters of a glob escaped. */
function pathSubjects(tool: string, paths: readonly PathPart[]): readonly ApprovalSubject[] {
  const plain = [...new Set(paths.map(({ path }) => path))];
  return plain.map((path) => ({ tool, path: path.replace(/[*?[\]{}\\]/g, "\\$&") }));
}
