import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRule, NewApprovalRule } from "../../../shared/contract/approval.ts";
import { callFacts } from "./call-facts.ts";
import { coversAllCalls, mightApply, parseRule, ruleProblem, rulesThatAllow } from "./rule-matching.ts";

type Subject = Pick<Partial<ApprovalRule>, "command" | "path" | "host" | "input">;

const rule = (id: string, subject: Subject) =>
  parseRule({ id, tool: "t", decision: "allow", scope: "always", ...subject });
const facts = (input: unknown) => callFacts({ input }, { shell: "posix" });

/** The ids of the rules that together allow an input, given these commands, paths and hosts; undefined if they do not. */
const allowedBy = (input: unknown, ...subjects: readonly Subject[]) =>
  rulesThatAllow(
    subjects.map((subject) => rule(Object.values(subject).join(""), subject)),
    facts(input),
  )?.map(({ rule: { id } }) => id);

const might = (subject: Subject, input: unknown) => mightApply(rule("r", subject), facts(input));

test("the first malformed pattern of a rule is found, with its field", () => {
  const problemOf = (subject: Partial<NewApprovalRule>) =>
    ruleProblem({ tool: "t", decision: "allow", scope: "always", ...subject });
  assert.equal(problemOf({}), undefined);
  assert.equal(problemOf({ command: "a *" }), undefined);
  assert.deepEqual(problemOf({ command: "a;" }), {
    field: "command",
    message: 'the command pattern a; contains an unquoted ";"',
  });
  assert.equal(problemOf({ path: "[" })?.field, "path");
  assert.equal(problemOf({ host: "a/b" })?.field, "host");
});

test("a rule without arguments covers all calls", () => {
  assert.equal(coversAllCalls(rule("r", {})), true);
  for (const subject of [{ command: "a" }, { path: "a" }, { host: "a" }, { input: null }])
    assert.equal(coversAllCalls(rule("r", subject)), false);
});

test("the rules that allow a command line are one for each part, each named once", () => {
  assert.deepEqual(allowedBy({ command: "a; b; a" }, { command: "b" }, { command: "a" }), ["a", "b"]);
  assert.deepEqual(allowedBy({ command: "a b" }, { command: "a *" }), ["a *"]);
  assert.deepEqual(allowedBy({ command: "a >x" }, { command: "a" }, { path: "x" }), ["a", "x"]);
  assert.deepEqual(allowedBy({ command: "a >x >y" }, { command: "a" }, { path: "*" }), ["a", "*"]);
  assert.deepEqual(allowedBy({ command: "a", cwd: "x" }, { command: "a" }, { path: "x" }), ["a", "x"]);
  assert.deepEqual(allowedBy({ command: "time a" }, { command: "a" }), ["a"]);
  assert.deepEqual(allowedBy({ command: "time a" }, { command: "time a" }), ["time a"]);
  assert.deepEqual(allowedBy({ command: "sudo a" }, { command: "sudo *" }, { command: "a" }), ["sudo *", "a"]);
  assert.deepEqual(allowedBy({ command: "sudo a" }, { command: "sudo a" }, { command: "sudo *" }), ["sudo a"]);
  assert.deepEqual(allowedBy({ command: "sudo -u x a" }, { command: "sudo *" }, { command: "sudo -u x a" }), [
    "sudo -u x a",
  ]);
});

test("without a rule for one of its parts a command line is not allowed", () => {
  for (const [command, ...subjects] of [
    ["", { command: "*" }],
    ["a; b", { command: "a" }],
    ["a >x", { command: "a" }],
    ["a >x", { path: "x" }],
    ["a >$X", { command: "a" }, { path: "**" }],
    ["sudo a", { command: "sudo *" }],
    ["sudo a", { command: "a" }],
    ["sudo -u x a", { command: "sudo *" }, { command: "a" }],
    ["sh -c ''", { command: "a" }],
    ["sh -c '# a'", { command: "a" }],
    ["eval a", { command: "eval a" }, { command: "a" }],
    ["$X", { command: "*" }],
    ["a 'b", { command: "a *" }],
  ] as const)
    assert.equal(allowedBy({ command }, ...subjects), undefined, command);
});

test("a command with further fields is allowed by no rule about its parts, its paths or its hosts", () => {
  const input = { command: "curl https://a.example", path: "x", env: {} };
  assert.equal(allowedBy(input, { path: "x" }), undefined);
  assert.equal(allowedBy(input, { host: "a.example" }), undefined);
  assert.equal(allowedBy(input, { command: "curl *" }), undefined);
  assert.equal(allowedBy(input, { command: "curl *" }, { path: "x" }), undefined);
  assert.deepEqual(allowedBy({ ...input, command: undefined }, { path: "x" }), ["x"]);
});

test("another input is allowed by a rule for each path, or for each host", () => {
  assert.deepEqual(allowedBy({ paths: ["a", "b", "a"] }, { path: "b" }, { path: "a" }), ["a", "b"]);
  assert.equal(allowedBy({ paths: ["a", "b"] }, { path: "a" }), undefined);
  assert.deepEqual(allowedBy({ x: ["http://a", "http://b"] }, { host: "a" }, { host: "b" }), ["a", "b"]);
  assert.equal(allowedBy({ x: ["http://a", "http://b"] }, { host: "a" }), undefined);
  assert.equal(allowedBy({ path: "c", x: "http://a" }, { path: "b" }, { host: "a" }), undefined);
  assert.deepEqual(allowedBy({ path: "c", x: "http://a" }, { path: "c" }, { host: "a" }), ["c"]);
  assert.deepEqual(allowedBy({ path: "c", url: "http://a" }, { path: "c" }, { host: "a" }), ["c", "a"]);
  assert.equal(allowedBy({ path: "c", url: "http://a" }, { path: "c" }), undefined);
  assert.equal(allowedBy({ path: "c", url: "http://a" }, { host: "a" }), undefined);
  assert.deepEqual(allowedBy({ to: "c", url: "http://a" }, { host: "a" }), ["a"]);
  assert.equal(allowedBy({ urls: ["http://a", "b"] }, { host: "*" }), undefined);
  assert.equal(allowedBy({ x: "a" }, { path: "**" }, { host: "*" }, { command: "*" }), undefined);
  assert.equal(allowedBy({ x: "http://u@a" }, { host: "*" }), undefined);
});

test("a deny rule might apply to any part of an input", () => {
  for (const command of ["a", "b; a", "X=1 a", "ssh x a", "b; find $X -exec a", "b; zsh -c 'x;a'", "b 'c; a"])
    assert.equal(might({ command: "a" }, { command }), true, command);
  for (const command of ["b", "b a", "zsh -c b", "eval b"])
    assert.equal(might({ command: "a" }, { command }), false, command);
  assert.equal(might({ command: "a" }, { path: "a" }), false);

  for (const input of [
    { paths: ["b", "a"] },
    { command: "b >a" },
    { command: "b a" },
    { command: "b >$X" },
    { command: "b", cwd: "a" },
    { command: "a", env: {} },
  ])
    assert.equal(might({ path: "a" }, input), true, JSON.stringify(input));
  for (const input of [{ path: "b" }, { text: "a" }, { command: "b >c" }, {}])
    assert.equal(might({ path: "a" }, input), false, JSON.stringify(input));

  for (const input of [
    { x: ["http://b", "http://a"] },
    { x: "go to A:80" },
    { command: "ssh me@a" },
    { x: "http://b\\@c" },
  ])
    assert.equal(might({ host: "a" }, input), true, JSON.stringify(input));
  for (const input of [{ x: "http://b" }, { x: "ab" }, {}])
    assert.equal(might({ host: "a" }, input), false, JSON.stringify(input));

  assert.equal(might({ input: { a: "b" } }, { a: "c http://d" }), false);
});
