import assert from "node:assert/strict";
import { test } from "node:test";
import { AnswerSize } from "../../answer/answer-size.ts";
import { ToolCalls } from "./tool-calls.ts";

/** The calls that these chunks' `tool_calls` come to. */
function put(...chunks: readonly unknown[]) {
  const calls = new ToolCalls(new AnswerSize());
  for (const chunk of chunks) calls.add(chunk);
  return calls.all();
}

const a = { id: "1", name: "a", arguments: '{"x":1}' };
const b = { id: "2", name: "b", arguments: "{}" };

test("pieces belong to the call with their index, even when calls are interleaved", () => {
  assert.deepEqual(
    put(
      [{ index: 0, id: "1", function: { name: "a", arguments: "" } }],
      [{ index: 1, id: "2", function: { name: "b", arguments: "{" } }],
      [{ index: 0, function: { arguments: '{"x":1' } }],
      [
        { index: 1, function: { arguments: "}" } },
        { index: 0, function: { arguments: "}" } },
      ],
    ),
    [a, b],
  );
});

test("calls in one piece are distinguished without an index and without an id", () => {
  const whole = [{ function: a }, { function: b }];
  assert.deepEqual(
    put(whole).map(({ name }) => name),
    ["a", "b"],
  );
  assert.deepEqual(put([{ id: "1", function: a }], [{ id: "2", function: b }]), [a, b]);
});

test("pieces without index and id continue the last call; those with an id continue the call with that id", () => {
  assert.deepEqual(
    put([{ id: "1", function: { name: "a", arguments: '{"x"' } }], [{ function: { arguments: ":1}" } }]),
    [a],
  );
  assert.deepEqual(
    put(
      [{ id: "1", function: { name: "a", arguments: '{"x"' } }],
      [{ id: "2", function: { name: "b" } }],
      [{ id: "1", function: { arguments: ":1}" } }],
    ),
    [a, b],
  );
});

test("complete calls that all have index 0 are distinguished by id, or by being complete", () => {
  assert.deepEqual(put([{ index: 0, id: "1", function: a }], [{ index: 0, id: "2", function: b }]), [a, b]);
  assert.equal(put([{ index: 0, function: a }], [{ index: 0, function: b }]).length, 2);
});

test("a name that is repeated with each piece is used once", () => {
  const pieces = ['{"x"', ":1", "}"].map((text) => [{ index: 0, id: "1", function: { name: "a", arguments: text } }]);
  assert.deepEqual(put(...pieces), [a]);
});

test("arguments given as an object, and none at all, are JSON text", () => {
  assert.deepEqual(
    put([
      { id: "1", function: { name: "a", arguments: { x: 1 } } },
      { id: "2", function: { name: "b" } },
    ]),
    [a, b],
  );
});

test("anything but a list of calls is ignored", () => {
  assert.deepEqual(put("calls", 7, null, [null, "call"]), []);
});
