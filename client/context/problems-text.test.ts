import assert from "node:assert/strict";
import { test } from "node:test";
import { problemsText, type ReportedProblem } from "./problems-text.ts";

const problem = (over: Partial<ReportedProblem>): ReportedProblem => ({
  path: "src/a.ts",
  line: 3,
  column: 7,
  severity: "warning",
  message: "Unused.",
  ...over,
});

test("problems are lines as compilers print them, errors first, each on one line", () => {
  const text = problemsText([
    problem({}),
    problem({ severity: "error", message: "Type 'a'\n  is not 'b'.", source: "ts" }),
  ]);
  assert.equal(text, "src/a.ts:3:7: error: Type 'a' is not 'b'. (ts)\nsrc/a.ts:3:7: warning: Unused.");
});

test("very many are counted, and none are said to be none", () => {
  assert.match(problemsText(Array.from({ length: 250 }, () => problem({}))), /\nand 50 more$/);
  assert.equal(problemsText([]), "no problems");
});
