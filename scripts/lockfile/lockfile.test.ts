import assert from "node:assert/strict";
import { test } from "node:test";
import { type LockedPackage, lockfileProblems, nameOf } from "./lockfile.ts";

const good: LockedPackage = { version: "1.0.0", integrity: "sha512-abc" };
const problemsOf = (entry: LockedPackage): string[] =>
  lockfileProblems({ packages: { "": {}, "node_modules/a": entry } });

test("a package without an integrity, with a weak one or with an address is found", () => {
  assert.deepEqual(problemsOf(good), []);
  assert.deepEqual(problemsOf({ version: "1.0.0" }), ["node_modules/a has no integrity."]);
  assert.deepEqual(problemsOf({ ...good, integrity: "sha1-abc" }), ["node_modules/a has no integrity."]);
  assert.match(problemsOf({ ...good, resolved: "https://registry.example/a.tgz" })[0] ?? "", /has an address/);
});

test("the name of a nested package", () => {
  assert.equal(nameOf("node_modules/a/node_modules/@b/c"), "@b/c");
});
