import assert from "node:assert/strict";
import { test } from "node:test";
import { approvalRule } from "./approve-rule.ts";
import { UsageError } from "./usage-error.ts";

const rule = (text: string) => {
  const { decision, scope, team, ...subject } = approvalRule(text, "allow", "t");
  assert.deepEqual({ decision, scope, team }, { decision: "allow", scope: "run", team: "t" });
  return subject;
};

test("A rule is a tool, or a tool with a pattern for what it is about", () => {
  assert.deepEqual(rule("readFile"), { tool: "readFile" });
  assert.deepEqual(rule("runCommand(npm test *)"), { tool: "runCommand", command: "npm test *" });
  assert.deepEqual(rule("webFetch(*.example.com)"), { tool: "webFetch", host: "*.example.com" });
  assert.deepEqual(rule("editFile(src/**)"), { tool: "editFile", path: "src/**" });
  assert.deepEqual(rule("runCommand(echo (a))"), { tool: "runCommand", command: "echo (a)" });
  assert.deepEqual(rule("github/*"), { tool: "github/*" });
});

test("The pattern of an agent's own command or address is for these, not for paths", () => {
  assert.deepEqual(rule("agent:execute(git *)"), { tool: "agent:execute", command: "git *" });
  assert.deepEqual(rule("agent:fetch(example.com)"), { tool: "agent:fetch", host: "example.com" });
  assert.deepEqual(rule("agent:edit(src/**)"), { tool: "agent:edit", path: "src/**" });
});

test("JSON decides no more than the option: neither its decision, nor for how long, nor for which team", () => {
  const given = { tool: "runCommand", command: "ls", decision: "deny", scope: "always", team: "other" };
  assert.deepEqual(rule(JSON.stringify(given)), { tool: "runCommand", command: "ls" });
  const denied = approvalRule('{"tool":"*","participant":"bob"}', "deny", "t");
  assert.deepEqual(denied, { tool: "*", participant: "bob", decision: "deny", scope: "run", team: "t" });
});

test("What is no rule is refused, as it would allow or deny something else", () => {
  const wrong = [
    "",
    "writeFile(.github/**",
    "writeFile.github/**)",
    "(src/**)",
    "runCommand()",
    "runCommand(ls) ",
    "a(b)c",
    '{"tool":"a"',
    "{}",
    '{"tool":"a","paths":"b"}',
    '{"tool":"a","path":"b","command":"c"}',
    `{"tool":"a","input":${"[".repeat(500)}${"]".repeat(500)}}`,
  ];
  for (const text of wrong) {
    assert.throws(() => approvalRule(text, "deny", "t"), UsageError, text);
  }
});

test("A rule to review results has the same form, and is named in its faults", () => {
  assert.deepEqual(approvalRule("webFetch(*.example.com)", "review", "t"), {
    tool: "webFetch",
    host: "*.example.com",
    decision: "review",
    scope: "run",
    team: "t",
  });
  assert.throws(() => approvalRule("webFetch(", "review", "t"), /^UsageError: --review webFetch\( is no approval rule/);
});
