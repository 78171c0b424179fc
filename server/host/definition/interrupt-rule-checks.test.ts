import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDefinition, toProblems } from "./check-definition.ts";

/** What is said of one rule in a team of ann, who has a tool, and of cat, within lab; as `path: message`. */
function problems(rule: object, changes: object = {}): string[] {
  const lab = { name: "lab", kind: "team", team: { name: "Lab", kind: "roundRobin", participants: [{ name: "cat" }] } };
  const participants = [{ name: "ann", tools: ["writeFile"] }, lab];
  const team = { name: "Talk", kind: "roundRobin", participants, interrupts: [{ reason: "why", ...rule }], ...changes };
  const checked = checkDefinition(team, {
    tools: ["writeFile", "readFile"],
    hasDefaultModel: true,
    user: "you",
    unknownKeys: "mistake",
  });
  return checked.ok ? [] : toProblems(checked.problems).map(({ path, message }) => `${path}: ${message}`);
}

test("a rule may name participants of the team and its nested teams, the user as a source, and the engine's own tools", () => {
  const when = {
    message: { contains: "x", matches: "^x+", sources: ["ann", "cat", "you", "user"] },
    tool: { name: ["writeFile", "interrupt_team", "remember", "transfer_to_ann"], arguments: { matches: "rm" } },
    participant: "cat",
    turns: 1,
    seconds: 0.5,
    tokens: 1,
    cost: 0.01,
    stall: { seconds: 1 },
  };
  assert.deepEqual(problems({ name: "n", when, severity: "stop", grace: "turn", scope: "participant" }), []);
  assert.deepEqual(problems({ when, severity: "reset", scope: "team" }), []);
  assert.deepEqual(problems({ when, severity: "reset", scope: "participant" }), [
    "interrupts[0].scope: the severity reset is for the whole team; use the scope team, or another severity",
  ]);
});

test("a rule needs a trigger and a reason, and has no unknown key", () => {
  assert.deepEqual(problems({ when: {} }), [
    "interrupts[0].when: name at least one of message, tool, participant, turns, seconds, tokens, cost, stall",
  ]);
  assert.deepEqual(problems({ when: { turns: 1 }, reason: undefined }), [
    "interrupts[0].reason: is missing; it should be text",
  ]);
  assert.deepEqual(problems({ when: { token: 5 } }), [
    'interrupts[0].when.token: unknown key "token"; did you mean "tokens"?',
  ]);
  assert.deepEqual(problems({ when: { turns: 0 } }), ["interrupts[0].when.turns: should be more than 0"]);
});

test("unknown names are reported with the likely name, and unknown tools are reported", () => {
  assert.deepEqual(problems({ when: { participant: ["ann", "cta"], message: { sources: ["anne"] } } }), [
    'interrupts[0].when.participant[1]: no participant is called "cta"; did you mean "cat"?',
    'interrupts[0].when.message.sources[0]: no participant is called "anne"; did you mean "ann"?',
  ]);
  assert.deepEqual(problems({ when: { tool: { name: "readFile" } } }), [
    'interrupts[0].when.tool.name: no participant has a tool "readFile"; add it to one, or remove it from this rule',
  ]);
});

test("an invalid regular expression is reported with its path", () => {
  const [inMessage, inArguments, ...others] = problems({
    when: { message: { matches: "(" }, tool: { arguments: { matches: "[" } } },
  });
  assert.match(inMessage ?? "", /^interrupts\[0\]\.when\.message\.matches: is a regular expression that has a /);
  assert.match(
    inArguments ?? "",
    /^interrupts\[0\]\.when\.tool\.arguments\.matches: is a regular expression that has a /,
  );
  assert.deepEqual(others, []);
});

test("a cost without prices and a participant scope without a turn are refused", () => {
  const models = { default: { provider: "openai", model: "m" } };
  assert.deepEqual(problems({ when: { cost: 1 } }, { models }), [
    "interrupts[0].when.cost: no model of the team has a `price`, so costs cannot be counted; add one to the models",
  ]);
  assert.deepEqual(problems({ when: { seconds: 9 }, scope: "participant" }), [
    "interrupts[0].scope: a rule with this scope needs `message`, `tool` or `participant` in `when`; add one, or use the scope team",
  ]);
});

test("the rules of a nested team are checked against that team", () => {
  const inner = {
    name: "Lab",
    kind: "roundRobin",
    participants: [{ name: "cat" }],
    interrupts: [{ when: { participant: "ann" }, reason: "why" }],
  };
  assert.deepEqual(
    problems({ when: { turns: 1 } }, { participants: [{ name: "ann" }, { name: "lab", kind: "team", team: inner }] }),
    ['participants[1].team.interrupts[0].when.participant: no participant is called "ann"; the names are cat'],
  );
});

test("a capability similar to the engine's own is a mistake; any other is for code", () => {
  const ann = (kind: string) => ({ participants: [{ name: "ann", capabilities: [{ kind, to: "*" }] }] });
  assert.deepEqual(problems({ when: { turns: 1 } }, ann("interupt")), [
    'participants[0].capabilities[0].kind: did you mean "interrupt"?',
  ]);
  assert.deepEqual(problems({ when: { turns: 1 } }, ann("own/thing")), []);
});
