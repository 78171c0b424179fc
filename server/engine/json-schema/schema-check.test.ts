import assert from "node:assert/strict";
import { test } from "node:test";
import { preparedBy, schemaCheck } from "./schema-check.ts";

const person = {
  type: "object",
  properties: {
    age: { type: "integer", minimum: 0 },
    tags: { type: "array", items: { type: "string" } },
    home: { $ref: "#/$defs/address" },
  },
  required: ["age"],
  additionalProperties: false,
  $defs: { address: { type: "object", properties: { city: { type: ["string", "null"] } }, required: ["city"] } },
};

test("a valid value has no problem, and the schema is not modified", () => {
  const own = Reflect.ownKeys(person);

  assert.equal(schemaCheck(person)({ age: 3, tags: ["a"], home: { city: null } }), undefined);
  assert.deepEqual(Reflect.ownKeys(person), own);
});

test("all problems are reported, each with its path", () => {
  const check = schemaCheck(person);

  assert.equal(check({}), "age: is missing");
  assert.equal(check({ age: "3" }), "age: is of type string and has to be integer");
  assert.equal(
    check({ age: -1, tags: ["a", 1], home: {}, more: true }),
    "age: -1 is less than 0; tags.1: is of type number and has to be string; home.city: is missing; more: is not allowed",
  );
  assert.equal(check({ age: 1, home: { city: 5 } }), "home.city: is of type number and has to be string or null");
  assert.equal(check([]), "the value: is of type array and has to be object");
  assert.equal(check(null), "the value: is of type null and has to be object");
  assert.equal(check(undefined), "the value: is of type null and has to be object");
});

test("of many problems the first are reported, with the number of the others", () => {
  const check = schemaCheck({ type: "array", items: { type: "string" } });

  assert.match(check([1, 2, 3, 4, 5, 6, 7]) ?? "", /^0: .*; 4: .*; and 2 more$/);
});

test("a schema is read by the draft that it names, or else by 2020-12", () => {
  const tuple = {
    $schema: "http://json-schema.org/draft-07/schema#",
    items: [{ type: "string" }],
    additionalItems: false,
  };

  assert.equal(schemaCheck(tuple)(["a", 1]), "1: is not allowed");
  const above = { $schema: "http://json-schema.org/draft-04/schema#", minimum: 5, exclusiveMinimum: true };
  assert.notEqual(schemaCheck(above)(5), undefined);
  assert.equal(schemaCheck({ prefixItems: [{ type: "string" }], items: false })(["a", 1]), "1: is not allowed");
});

test("an invalid schema rejects everything, and says so in one line", () => {
  assert.throws(
    () => schemaCheck({ $ref: "#/$defs/none" })(1),
    /^Error: The JSON Schema cannot be used: Unresolved \$ref[^\n]*$/,
  );
  assert.throws(
    () => schemaCheck({ type: "string", pattern: "(" })("a"),
    /cannot be used: its pattern has a \( without a \)/,
  );
});

test("a problem with a tool's input names the tool", () => {
  const prepare = preparedBy({ name: "register", inputSchema: person });

  assert.deepEqual(prepare({ age: 1 }), { age: 1 });
  assert.throws(() => prepare({}), { message: "The input of register is not valid: age: is missing." });
});
