import assert from "node:assert/strict";
import { test } from "node:test";
import { answerText, choiceQuestionOf } from "../../../shared/ask-user.ts";
import { ToolInterrupt } from "../../engine/tool.ts";
import { runTool, testCall } from "../testing.ts";
import { askUserTool } from "./ask-user.ts";

const asked = async (input: unknown): Promise<unknown> => {
  const error = await runTool(askUserTool(), input, testCall().context).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ToolInterrupt);
  return choiceQuestionOf({ name: "askUser", interrupt: error.data });
};

test("askUser asks with choices as text or with descriptions, or with none", async () => {
  assert.deepEqual(await asked({ question: " Which? ", choices: ["A", { label: "B", description: "The other" }] }), {
    question: "Which?",
    choices: [{ label: "A" }, { label: "B", description: "The other" }],
    several: false,
  });
  assert.deepEqual(await asked({ question: "Why?", several: true, choices: null }), {
    question: "Why?",
    choices: [],
    several: true,
  });
});

test("the normal form of a question is its own normal form", () => {
  const tool = askUserTool();
  const once = tool.prepare?.({ question: "Which?", choices: ["A"] });
  assert.deepEqual(tool.prepare?.(once), once);
});

test("a question without text, with too many or with equal choices is refused", () => {
  const tool = askUserTool();
  for (const input of [
    { question: " " },
    { question: "x", choices: Array.from({ length: 11 }, (_, at) => `${at}`) },
    { question: "x", choices: ["A", { label: "A " }] },
  ])
    assert.throws(() => tool.prepare?.(input), /The input of askUser is invalid/);
});

test("an answer has what was chosen and what was written", () => {
  assert.equal(answerText(["A"], ""), "A");
  assert.equal(answerText(["A", "B"], " and C "), "- A\n- B\n\nand C");
  assert.equal(answerText([], " own words\n"), "own words");
});

test("a question of another tool, or of another form, is none with choices", () => {
  const interrupt = { kind: "askUser", question: "x", choices: [] };
  assert.equal(choiceQuestionOf({ name: "other", interrupt }), undefined);
  for (const wrong of [true, "x", { ...interrupt, choices: [{ label: 1 }] }, { ...interrupt, kind: "other" }])
    assert.equal(choiceQuestionOf({ name: "askUser", interrupt: wrong }), undefined);
});
