import { type ApprovalDecision, NewApprovalRule } from "../../shared/contract/approval.ts";
import { messageOf } from "../../shared/contract/errors.ts";
import { isRecord } from "../../shared/json-record.ts";
import { parseJson } from "../../shared/parse-json.ts";
import { UsageError } from "./usage-error.ts";

/** What the pattern of a rule is matched with, by its tool; for other tools it is the path. */
const SUBJECTS: Readonly<Record<string, "command" | "host">> = {
  runCommand: "command",
  "agent:execute": "command",
  webFetch: "host",
  "agent:fetch": "host",
};

/**
 * An approval rule for one run, as the user writes it: a tool, a tool with a pattern, `runCommand(npm test *)`, or the JSON
 * of a rule (docs/PROTOCOL.md, "ApprovalRule") without its decision, scope and team.
 * @throws UsageError
 */
export function approvalRule(text: string, decision: ApprovalDecision, team: string): NewApprovalRule {
  const parsed = NewApprovalRule.safeParse({ ...subjectIn(text, decision), decision, scope: "run", team });
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  throw new UsageError(`--${optionOf(decision)} ${text} is no approval rule: ${problem?.message ?? "see docs"}.`);
}

const optionOf = (decision: ApprovalDecision): string => (decision === "allow" ? "approve" : decision);

function subjectIn(text: string, decision: ApprovalDecision): Readonly<Record<string, unknown>> {
  if (text.startsWith("{")) return objectIn(text, decision);
  const [, tool = text, pattern] = /^([^()]+)\((.*)\)$/s.exec(text) ?? [];
  // No tool has such a name: a rule that denies would silently deny nothing.
  if (/[()]/.test(tool)) {
    throw new UsageError(`--${optionOf(decision)} ${text} is no approval rule: write TOOL or TOOL(PATTERN).`);
  }
  if (pattern === undefined) return { tool };
  return { tool, [Object.hasOwn(SUBJECTS, tool) ? (SUBJECTS[tool] ?? "path") : "path"]: pattern };
}

function objectIn(text: string, decision: ApprovalDecision): Readonly<Record<string, unknown>> {
  const option = `--${optionOf(decision)}`;
  try {
    const value = parseJson(text);
    if (isRecord(value)) return value;
  } catch (error) {
    throw new UsageError(`${option} is no JSON: ${messageOf(error)}; write TOOL, TOOL(PATTERN) or the JSON of a rule.`);
  }
  throw new UsageError(`${option} needs an object; write TOOL, TOOL(PATTERN) or the JSON of a rule.`);
}
