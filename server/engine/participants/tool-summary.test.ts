import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";
import { toolSummary } from "./tool-summary.ts";

const step = {
  content: "",
  calls: [
    { ref: "c1", name: "look", input: { at: 1 }, output: "seen {result}", isError: false },
    { ref: "c2", name: "fail", input: "garbled", output: { why: "no" }, isError: true },
  ],
};

test("a summary has one result per line: text as it is, anything else as JSON", () => {
  assert.deepEqual(toolSummary(step), { type: "ToolCallSummaryMessage", content: 'seen {result}\n{"why":"no"}' });
});

test("a format can contain the call's name, arguments, result and error flag; doubled braces are braces", () => {
  const format = "{{{tool_name}}} {arguments}: {result} ({is_error}) {other}";

  assert.deepEqual(
    toolSummary(step, format).content,
    '{look} {"at":1}: seen {result} (false) {other}\n{fail} garbled: {"why":"no"} (true) {other}',
  );
});

test("an assistant's summary has the format of its definition", async () => {
  const ann = new ScriptedModel(ask(call("c1", "look", 1), call("c2", "look", 2)));
  const more = { ann: { maxToolIterations: 1, toolCallSummaryFormat: "{tool_name}({arguments}) = {result}" } };
  const { team, said } = testTeam({
    speakers: { ann },
    tools: [testTool("look", (input) => input)],
    more,
    maxTurns: 1,
  });

  await team.run("t");

  assert.deepEqual(said(), ["user: t", "ann: look(1) = 1\nlook(2) = 2"]);
});

test("the steps before a pause count toward the iterations of a turn that continues", async () => {
  const pay = testTool("pay", (input) => `paid ${input}`, { approval: "ask" });
  const answers = [ask(call("c1", "pay", 1)), ask(call("c2", "pay", 2)), ask(call("c3", "pay", 3)), say("never")];
  const ann = new ScriptedModel(...answers);
  const { team, said, ref } = testTeam({
    speakers: { ann },
    tools: [pay],
    more: { ann: { maxToolIterations: 3 } },
    maxTurns: 1,
  });

  await team.run("t");
  for (const id of ["c1", "c2"]) await team.resolveTools({ restart: [{ ref: ref(id) }] });
  const { result } = await team.resolveTools({ restart: [{ ref: ref("c3") }] });

  assert.equal(result?.status.code, "success");
  assert.equal(ann.requests.length, 3);
  assert.deepEqual(said(), ["user: t", "ann: paid 3"]);
});
