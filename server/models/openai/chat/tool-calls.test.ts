import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolCalls } from "./tool-calls.ts";

/** The calls that these chunks' `tool_calls` come to. */
function put(...chunks: readonly unknown[]) {
  const calls = new ToolCalls();
  for (const chunk of chunks) calls.add(chunk);
  return calls.all();
}

const a = { id: "1", name: "a", arguments: '{"x":1}' };
const b = { id: "2", name: "b", arguments: "{}" };

test("pieces go to their call by index, also where calls take turns", () => {
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

test("calls in one piece are told apart without an index, and without an id", () => {
  const whole = [{ function: a }, { function: b }];
  assert.deepEqual(
    put(whole).map(({ name }) => name),
    ["a", "b"],
  );
  assert.deepEqual(put([{ id: "1", function: a }], [{ id: "2", function: b }]), [a, b]);
});

test("pieces without index and id go on with the last call, those with an id with their own", () => {
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

test("whole calls that all have the index 0 are told apart by id, or by being whole", () => {
  assert.deepEqual(put([{ index: 0, id: "1", function: a }], [{ index: 0, id: "2", function: b }]), [a, b]);
  assert.equal(put([{ index: 0, function: a }], [{ index: 0, function: b }]).length, 2);
});

test("a name that is repeated with each piece is said once", () => {
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

test("what is no list of calls is passed over", () => {
  assert.deepEqual(put("calls", 7, null, [null, "call"]), []);
});
