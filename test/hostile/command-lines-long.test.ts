import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine } from "../../server/engine/approvals/commands/command-line.ts";
import {
  matchesWords,
  mightMatchWords,
  parseCommandPattern,
} from "../../server/engine/approvals/commands/command-pattern.ts";
import { possibleCommands, possibleWords } from "../../server/engine/approvals/commands/possible-commands.ts";
import { evaluateCall } from "../../server/engine/approvals/evaluate-call.ts";
import type { ShellWord } from "../../server/engine/approvals/shell/shell-word.ts";
import { suggestRules } from "../../server/engine/approvals/suggest-rules.ts";
import type { ApprovalRule } from "../../shared/contract/approval.ts";
import lines from "./command-lines-long.json" with { type: "json" };

/** A command line: `start`, then `repeat` as often as it fits into a number of characters, then `end`. */
interface LongLine {
  readonly name: string;
  readonly start: string;
  readonly repeat: string;
  readonly end?: string;
}

function lineOf({ start, repeat, end = "" }: LongLine, characters: number): string {
  const room = characters - start.length - end.length;
  return start + repeat.repeat(Math.max(0, Math.floor(room / repeat.length))) + end;
}

const tool = { name: "runCommand", description: "", inputSchema: {}, approval: "ask" as const };
const callOf = (command: string) => ({ tool, participant: "ann", teamId: "t", input: { command } });

/** Many rules of every kind, some of which nearly match the lines. */
const rules: readonly ApprovalRule[] = Array.from({ length: 100 }, (_, index): readonly ApprovalRule[] => {
  const rule = { tool: "runCommand", scope: "always" as const };
  return [
    { ...rule, id: `a${index}`, decision: "allow", command: `program${index} run *` },
    { ...rule, id: `g${index}`, decision: "allow", command: `git * --x${index} * y` },
    { ...rule, id: `d${index}`, decision: "deny", command: `git -x${index} push * --force${index}` },
    { ...rule, id: `s${index}`, decision: "ask", command: `* a * a * a${index}` },
    { ...rule, id: `p${index}`, decision: "deny", path: `**/.env${index}` },
    { ...rule, id: `h${index}`, decision: "deny", host: `*.evil${index}.example` },
  ];
}).flat();

// Once, some of these took seconds at 600 characters, and more than half a minute at 5,000.
for (const line of lines as readonly LongLine[]) {
  test(`5,000 characters are judged soon: ${line.name}`, { timeout: 30_000 }, () => {
    const call = callOf(lineOf(line, 5000));
    const { decision } = evaluateCall(call, rules, { shell: "posix" });
    assert.ok(["allow", "ask", "deny"].includes(decision));
    assert.ok(suggestRules(call, { shell: "posix" }).length >= 2);
  });

  test(`the steps are in proportion to the length: ${line.name}`, { timeout: 30_000 }, () => {
    const small = stepsFor(lineOf(line, 1250));
    const large = stepsFor(lineOf(line, 5000));
    assert.ok(large <= small * 6 + 1000, `${large} steps after ${small} for a quarter of the characters`);
  });
}

/** Words that rules are compared with, and how often one is looked at for a few rules of many stars. */
function stepsFor(text: string): number {
  const line = parseCommandLine(text, "posix");
  const possible = possibleCommands(line);
  let steps = possible.reduce((sum, { words }) => sum + words.length, possibleWords(line).length);
  const counted = (words: readonly ShellWord[]) =>
    words.map((word) => ({
      ...word,
      get text() {
        steps++;
        return word.text;
      },
    }));
  for (const pattern of ["* a * a * a * x", "git * -c * -c * x", "sudo -n * x *", "npm * y"].map(parseCommandPattern)) {
    for (const { words, anywhere } of possible) mightMatchWords(pattern, counted(words), anywhere);
    for (const { words } of line.commands) matchesWords(pattern, counted(words));
  }
  return steps;
}

test("a line of any length is judged", { timeout: 30_000 }, () => {
  for (const command of [`sudo ${"x ".repeat(500_000)}rm x`, "(".repeat(1_000_000), "`".repeat(1_000_000)]) {
    const { decision } = evaluateCall(callOf(command), rules, { shell: "posix" });
    assert.equal(decision, "ask");
  }
});
