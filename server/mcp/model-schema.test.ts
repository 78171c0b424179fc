import assert from "node:assert/strict";
import { test } from "node:test";
import { modelSchema } from "./model-schema.ts";

const text = { type: "string" };
const count = { type: "integer" };

test("a schema of an object stays as it is", () => {
  const schema = { type: "object", properties: { path: text }, required: ["path"], $defs: { a: {} } };
  assert.deepEqual(modelSchema(schema), schema);
  assert.deepEqual(modelSchema({}), { type: "object", properties: {} });
});

test("alternatives at the top become properties; required are those that all of them require", () => {
  const byPath = { properties: { path: text, lines: count }, required: ["path", "lines"] };
  const byUri = { properties: { uri: text, lines: count }, required: ["uri", "lines"] };
  for (const keyword of ["anyOf", "oneOf"]) {
    assert.deepEqual(modelSchema({ type: "object", [keyword]: [byPath, byUri], not: {} }), {
      type: "object",
      properties: { path: text, uri: text, lines: count },
      required: ["lines"],
    });
  }
  assert.deepEqual(modelSchema({ allOf: [byPath, byUri, true], properties: { lines: text }, required: ["uri"] }), {
    type: "object",
    properties: { path: text, uri: text, lines: text },
    required: ["uri", "path", "lines"],
  });
});

test("no model takes another type, or a property with another name", () => {
  assert.equal(modelSchema({ type: "array" }), undefined);
  assert.equal(modelSchema({ properties: { "two words": text } }), undefined);
  assert.equal(modelSchema({ anyOf: [{ properties: { "": text } }] }), undefined);
  assert.deepEqual(modelSchema(JSON.parse('{"anyOf":[{"properties":{"__proto__":{"type":"string"}}}]}')), {
    type: "object",
    properties: JSON.parse('{"__proto__":{"type":"string"}}'),
  });
});
