import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluateCall } from "../../server/engine/approvals/evaluate-call.ts";
import type { ApprovalRule } from "../../shared/contract/approval.ts";
import groups from "./command-lines-options.json" with { type: "json" };

const tool = { name: "runCommand", description: "", inputSchema: {}, approval: "ask" as const };

function decide(line: string, commands: readonly string[]): string {
  const rules = commands.map(
    (command, index): ApprovalRule => ({
      id: `r${index}`,
      tool: tool.name,
      scope: "always",
      decision: "allow",
      command,
    }),
  );
  return evaluateCall({ tool, participant: "ann", teamId: "t", input: { command: line } }, rules, { shell: "posix" })
    .decision;
}

for (const { what, rules, ask, allow } of groups) {
  if (ask.length > 0) {
    test(`${what}: what runs or writes something else is asked about, whatever a rule allows after it`, () => {
      assert.deepEqual(
        ask.filter((line) => decide(line, rules) !== "ask"),
        [],
      );
    });
  }

  test(`${what}: the ordinary is allowed`, () => {
    assert.deepEqual(
      allow.filter((line) => decide(line, rules) !== "allow"),
      [],
    );
  });
}
