import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDefinition } from "./check-definition.ts";

/** The problems of a remote agent with these headers. */
function problemsOf(headers: unknown, kind = "a2a"): string[] {
  const ann =
    kind === "a2a" ? { name: "ann", kind, url: "https://agents.example.com", headers } : { name: "ann", headers };
  const definition = { name: "t", kind: "roundRobin", participants: [ann], maxTurns: 1 };
  const result = checkDefinition(definition, {
    tools: [],
    hasDefaultModel: true,
    user: "user",
    unknownKeys: "mistake",
  });
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path.slice(2).join(".")} ${message}`);
}

test("headers with placeholders are taken as they are", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: files write placeholders like this.
  assert.deepEqual(problemsOf({ Authorization: "Bearer ${input:token}", "X-Team": "${env:TEAM} \u00e9" }), []);
});

test("a header that cannot be sent is one sentence at its place", () => {
  assert.deepEqual(problemsOf({ "X Team": "a" }), [
    "headers.X Team is not the name of a header; use letters, digits and hyphens",
  ]);
  assert.deepEqual(problemsOf({ "X-Team": "a\r\nHost: b" }), [
    "headers.X-Team has a line break or another character that no header can have; remove it",
  ]);
  assert.deepEqual(problemsOf({ "X-Team": 7 }), ["headers.X-Team should be text, but is 7"]);
  for (const name of ["Host", "content-length", "Transfer-Encoding", "A2A-Version", "Accept-Encoding"])
    assert.deepEqual(problemsOf({ [name]: "a" }), [`headers.${name} is a header that Gavel sets itself; remove it`]);
  assert.deepEqual(problemsOf({ "X-Team": "a", "x-team": "b" }), [
    "headers.x-team is there twice, as letter case does not matter in headers; remove one",
  ]);
});

test("headers have no effect for a model", () => {
  assert.deepEqual(problemsOf({ "X-Team": "a" }, "assistant"), [
    "headers has no effect for a participant of kind assistant; remove it",
  ]);
});
