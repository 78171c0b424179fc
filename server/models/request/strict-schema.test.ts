import assert from "node:assert/strict";
import { test } from "node:test";
import { isStrict } from "./strict-schema.ts";

const closed = (properties: Readonly<Record<string, unknown>>, more = {}) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const text = { type: "string", description: "Some text." };

test("a closed object of required properties is strict, at every depth", () => {
  assert.ok(isStrict(closed({ a: text, b: { type: "array", items: closed({ c: { type: ["integer", "null"] } }) } })));
  assert.ok(
    isStrict(
      closed({ a: { anyOf: [closed({}), { type: "null" }] }, b: { $ref: "#/$defs/b" } }, { $defs: { b: text } }),
    ),
  );
});

test("an optional property, an open object or an unknown keyword is not, at any depth", () => {
  const parts = [
    closed({ a: text }, { required: [] }),
    closed({ a: text }, { additionalProperties: undefined }),
    { type: "object" },
    { type: "string", default: "x" },
    { oneOf: [text] },
    { allOf: [text] },
    true,
  ];
  for (const part of parts) {
    const wrapped = [
      closed({ part }),
      closed({ list: { type: "array", items: part } }),
      closed({ either: { anyOf: [text, part] } }),
      closed({}, { $defs: { part } }),
    ];
    for (const schema of wrapped) assert.equal(isStrict(schema), false, JSON.stringify(schema));
  }
});

test("the top level is a single object", () => {
  assert.equal(isStrict({ type: "array", items: text }), false);
  assert.equal(isStrict({ ...closed({}), anyOf: [closed({})] }), false);
});
