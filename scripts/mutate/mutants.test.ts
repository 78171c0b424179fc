import assert from "node:assert/strict";
import { test } from "node:test";
import { mutantsOf, mutated } from "./mutants.ts";

/** All texts that a text is changed to. */
const changes = (text: string): string[] => mutantsOf("a.ts", text).map((mutant) => mutated(text, mutant));

test("a condition becomes true and false, and what it is made of its opposite", () => {
  assert.deepEqual(changes("if (a === b) c;"), ["if (true) c;", "if (false) c;"]);
  assert.deepEqual(changes("const x = a && b < c ? d : e;"), [
    "const x = true ? d : e;",
    "const x = false ? d : e;",
    "const x = a || b < c ? d : e;",
    "const x = a && b <= c ? d : e;",
    "const x = a && b >= c ? d : e;",
  ]);
  assert.deepEqual(changes("while (!a) b;"), ["while (false) b;"]);
});

test("statements are left out, and calls that only narrow what they are called on", () => {
  assert.deepEqual(changes("f(x);"), [";"]);
  assert.deepEqual(changes("super(x);"), []);
  assert.deepEqual(changes("const y = x.filter(f);"), ["const y = x;"]);
  assert.deepEqual(changes("const y = x.some(f);"), ["const y = x.every(f);"]);
});

test("operators, defaults, booleans and lists are changed", () => {
  assert.deepEqual(changes("const y = a + 1;"), ["const y = a - 1;"]);
  assert.deepEqual(changes('const y = a + "s";'), []);
  assert.deepEqual(changes("const y = a?.b ?? c;"), ["const y = a?.b;", "const y = a.b ?? c;"]);
  assert.deepEqual(changes("const y = [true, !a];"), [
    "const y = [];",
    "const y = [false, !a];",
    "const y = [true, a];",
  ]);
  assert.deepEqual(changes("const y = i++;"), ["const y = i--;"]);
});

test("types and texts are not changed", () => {
  assert.deepEqual(changes('type A = true | "x"; interface B { a: false } const y: [true] = z as [true];'), []);
  assert.deepEqual(changes('const y = "some text";'), []);
  assert.deepEqual(changes("const y = f<true>(a)!;"), []);
});

test("a mutant names its line", () => {
  assert.deepEqual(
    mutantsOf("a.ts", "\n\nf();").map(({ file, line }) => [file, line]),
    [["a.ts", 3]],
  );
});
