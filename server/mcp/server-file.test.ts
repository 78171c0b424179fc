import assert from "node:assert/strict";
import { test } from "node:test";
import { readServerFile } from "./server-file.ts";

test("a file that is nested too deeply is a sentence, not an overflow of the stack", () => {
  for (const text of ["[".repeat(500_000), `{"servers":${'["]",'.repeat(100_000)}`]) {
    const { servers, problems } = readServerFile(text);
    assert.deepEqual(servers, []);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? "", /^The file is not valid JSON: /);
  }
});

test("names of what every object has are names like others", () => {
  const { servers } = readServerFile('{"servers": {"__proto__": {"command": "a"}, "constructor": {"command": "b"}}}');
  assert.deepEqual(
    servers.map(({ name }) => name).filter((name) => name !== "__proto__"),
    ["constructor"],
  );
  assert.equal(Object.hasOwn(Object.prototype, "command"), false);
});
