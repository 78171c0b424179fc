import assert from "node:assert/strict";
import { test } from "node:test";
import { schemaCheck } from "../../server/engine/json-schema/schema-check.ts";
import { seededRandom } from "../../server/engine/testing/random.ts";
import corpus from "./json-schemas.json" with { type: "json" };
import patterns from "./patterns.json" with { type: "json" };

const VALUES: readonly unknown[] = [null, true, 1, "text", [], [1, "a", {}], {}, { a: 1, constructor: 2 }];

for (const { name, schema, because } of corpus.refused) {
  test(`a schema with ${name} cannot be used, and says why`, () => {
    assert.throws(
      () => schemaCheck(schema)("text"),
      (error) =>
        error instanceof Error &&
        error.message.startsWith("The JSON Schema cannot be used: ") &&
        error.message.includes(because),
    );
  });
}

test("keywords of the wrong shape are ignored", () => {
  for (const schema of corpus.harmless) {
    const check = schemaCheck(schema);
    for (const value of VALUES) assert.match(check(value) ?? "", /^(|the value: [^\n]+)$/);
  }
});

test("patterns take time in proportion to the text", () => {
  for (const { pattern, repeat, end } of patterns.costly) {
    const text = repeat.repeat(5_000 / repeat.length) + end;
    assert.equal(schemaCheck({ pattern })(text), "the value: does not match pattern");
    assert.equal(schemaCheck({ patternProperties: { [pattern]: false } })({ [text]: 1 }), undefined);
    assert.match(schemaCheck({ propertyNames: { pattern } })({ [text]: 1 }) ?? "", /does not match pattern$/);
  }
});

test("many formats or lengths over a long text take too many steps", () => {
  const text = "ab".repeat(100_000);
  const all = Array.from({ length: 100 });
  const tooMany = /takes more than 200000 steps for this value/;

  assert.throws(() => schemaCheck({ allOf: all.map(() => ({ format: "uri" })) })(text), tooMany);
  assert.throws(() => schemaCheck({ allOf: all.map((_, minLength) => ({ minLength })) })(text), tooMany);
});

test("patterns over a long text take too long together, or one by itself; a hundred ordinary ones over a page do not", () => {
  const text = "ab".repeat(100_000);
  const many = Array.from({ length: 100 }, (_, at) => `[ab]*a[ab]{${at}}[cd]`);
  const tooLong =
    /^Error: The JSON Schema cannot be used: its patterns take too long for this value; make them simpler$/;

  assert.throws(() => schemaCheck({ allOf: many.map((pattern) => ({ pattern })) })(text), tooLong);
  const patternProperties = Object.fromEntries(many.map((pattern) => [pattern, {}]));
  assert.throws(() => schemaCheck({ patternProperties })({ [text]: 1 }), tooLong);
  assert.throws(() => schemaCheck({ pattern: "a[ab]{900}[cd]" })(unlikeText(50_000)), tooLong);
  const page = "A page of ordinary text. ".repeat(100);
  assert.equal(schemaCheck({ allOf: many.map((_, at) => ({ pattern: `^[^${at}]*$` })) })(page), undefined);
  assert.equal(
    schemaCheck({ minLength: 1, pattern: "^[ab]*$", format: "hostname" })(text),
    'the value: does not match format "hostname"',
  );
});

/** A text of the letters a and b in which no part of 20 letters comes twice, or hardly any. */
function unlikeText(length: number): string {
  const random = seededRandom(1);
  return Array.from({ length }, () => (random(2) === 0 ? "a" : "b")).join("");
}

test("formats take time in proportion to the text", () => {
  for (const format of corpus.formats) {
    const check = schemaCheck({ format });
    for (const [repeat = "", end = ""] of corpus.formatBaits) {
      assert.match(check(repeat.repeat(50_000) + end) ?? "", /^(|the value: does not match format "[\w-]+")$/);
    }
  }
});

test("a long list of equal or different items is compared in one pass", () => {
  const check = schemaCheck({ uniqueItems: true });
  const items = Array.from({ length: 3_000 }, (_, at) => ({ id: at, tags: ["a", "b"] }));

  assert.equal(check(items), undefined);
  assert.equal(check([...items, { tags: ["a", "b"], id: 7 }]), "the value: has equal items");
});

test("a deep value is checked as far as the limit, and never overflows the stack", () => {
  let deep: unknown = "end";
  for (let level = 0; level < 100_000; level++) deep = [deep];

  assert.equal(schemaCheck({ type: "array" })(deep), undefined);
  assert.throws(() => schemaCheck({ items: { $ref: "#" } })(deep), /nested more than 400 deep/);
  assert.throws(() => schemaCheck({ const: [] })(deep), /nested more than 400 deep/);
  assert.throws(() => schemaCheck({ uniqueItems: true })(deep), /nested more than 400 deep/);
});

test("names that every object has are properties like any other", () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    const value: unknown = JSON.parse(`{ ${JSON.stringify(name)}: 1 }`);
    const schema = JSON.parse(
      `{ "properties": { ${JSON.stringify(name)}: { "type": "string" } }, "required": ["${name}"] }`,
    );

    assert.equal(schemaCheck(schema)({}), `${name}: is missing`);
    assert.equal(schemaCheck(schema)(value), `${name}: is of type number and has to be string`);
    assert.equal(schemaCheck({ additionalProperties: false })(value), `${name}: is not allowed`);
  }
});
