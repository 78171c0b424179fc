import type { ApprovalScope, ApprovalSubject } from "./approval.ts";

/** The parts of a rule that its text names. */
export type DescribedRule = ApprovalSubject & { readonly scope?: ApprovalScope | undefined };

const SCOPES: Readonly<Record<ApprovalScope, string>> = {
  once: "once",
  run: "in this run",
  workspace: "in this workspace",
  always: "always",
};

/**
 * The calls that a rule is about, without its decision: `runCommand with the command npm test *, by tester, in this run`.
 */
export function ruleText(rule: DescribedRule): string {
  const { tool, provider, participant, scope } = rule;
  const what = argumentsText(rule);
  return [
    `${tool === "*" ? "every tool" : tool}${what === "" ? "" : ` ${what}`}`,
    ...(provider === undefined ? [] : [`run by ${provider}`]),
    ...(participant === undefined ? [] : [`by ${participant}`]),
    ...(scope === undefined ? [] : [SCOPES[scope]]),
  ].join(", ");
}

function argumentsText({ command, path, host, input }: DescribedRule): string {
  if (command !== undefined) return `with the command ${command}`;
  if (path !== undefined) return `on the path ${path}`;
  if (host !== undefined) return `to the host ${host}`;
  return input === undefined ? "" : `with exactly the input ${JSON.stringify(input)}`;
}
