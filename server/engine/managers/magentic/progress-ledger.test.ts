import assert from "node:assert/strict";
import { test } from "node:test";
import { type ParsedProgress, parseProgress } from "./progress-ledger.ts";

const entry = (answer: unknown, reason = "so it is") => ({ reason, answer });

const open = {
  is_request_satisfied: entry(false),
  is_in_loop: entry(false),
  is_progress_being_made: entry(true),
  next_speaker: entry("bob"),
  instruction_or_question: entry("Look it up."),
};

const read = (ledger: unknown, names = ["ann", "bob"]): ParsedProgress =>
  parseProgress(typeof ledger === "string" ? ledger : JSON.stringify(ledger), names);

const next = { progress: { satisfied: false, stalled: false, speaker: "bob", instruction: "Look it up." } };

function assertProblem(reading: ParsedProgress, problem: RegExp): void {
  assert.match("problem" in reading ? reading.problem : "", problem);
}

test("a ledger has the next speaker and the instruction", () => {
  assert.deepEqual(read(open), next);
});

test("a satisfied request needs no next speaker, and ends with the reason", () => {
  const done = (reason: string) => ({ is_request_satisfied: entry(true, reason), next_speaker: entry("no one") });
  assert.deepEqual(read(done("all found")), { progress: { satisfied: true, reason: "all found" } });
  assert.deepEqual(read(done(" ")), { progress: { satisfied: true, reason: "The request is satisfied." } });
});

test("a loop is a stall, and so is no progress", () => {
  for (const more of [{ is_in_loop: entry(true) }, { is_progress_being_made: entry(false) }]) {
    assert.deepEqual(read({ ...open, ...more }), { progress: { ...next.progress, stalled: true } });
  }
});

test("a ledger is parsed in a code fence, in other text, and after reasoning", () => {
  const text = JSON.stringify(open, null, 2);
  for (const answer of [
    `\`\`\`json\n${text}\n\`\`\``,
    `Here {as you wished} it is:\n${text}\nI hope that {"this": "helps"}.`,
    `<think>{"is_request_satisfied": true}</think>${text}`,
    `{"is_request_satisfied": ${text}`,
    `A draft: {"is_request_satisfied": true}. The ledger: ${text}`,
  ]) {
    assert.deepEqual(read(answer), next, answer);
  }
});

test("braces and quotes in its texts are no problem", () => {
  const instruction = 'Write "}{" and \\ and {';
  const reading = read(`So: ${JSON.stringify({ ...open, instruction_or_question: entry(instruction) })} Done.`);
  assert.deepEqual(reading, { progress: { ...next.progress, instruction } });
});

test("answers without reasons, and booleans as text, are accepted", () => {
  assert.deepEqual(
    read({
      is_request_satisfied: "no",
      is_in_loop: "False",
      is_progress_being_made: { answer: "Yes" },
      next_speaker: "**bob**",
      instruction_or_question: "Look it up.",
    }),
    next,
  );
});

test("in a team of one, that participant is next whatever the ledger says", () => {
  assert.deepEqual(read({ ...open, next_speaker: undefined }, ["bob"]), next);
  assert.deepEqual(read({ ...open, next_speaker: entry("dora") }, ["bob"]), next);
});

test("a problem is reported with its path", () => {
  assertProblem(read("I cannot."), /no JSON object/);
  assertProblem(read("[true]"), /no JSON object/);
  assertProblem(read({}), /is_request_satisfied/);
  assertProblem(read({ ...open, is_in_loop: entry("perhaps") }), /is_in_loop\.answer/);
  assertProblem(read({ ...open, instruction_or_question: entry(" ") }), /instruction_or_question\.answer/);
  assertProblem(read({ ...open, next_speaker: entry("dora") }), /next_speaker is "dora" .* ann, bob/);
  assertProblem(read({ ...open, next_speaker: entry("ann and bob") }), /next_speaker is "ann and bob"/);
});

test("an answer of many open braces is rejected", () => {
  assertProblem(read(`${'{"'.repeat(50_000)}`), /no JSON object/);
});
