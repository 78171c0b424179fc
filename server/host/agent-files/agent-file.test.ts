import assert from "node:assert/strict";
import { test } from "node:test";
import { readAgents } from "./agent-file.ts";
import { AgentFileError } from "./front-matter.ts";

const agent = (fields: string) => {
  const [found] = readAgents("agents/file.agent.md", `---\n${fields}\n---\nDo it.`);
  assert.ok(found);
  return found;
};

test("Names of tools are a list, or a text with commas, of which those within parentheses divide nothing", () => {
  assert.deepEqual(agent("tools: [read, edit]").tools, ["read", "edit"]);
  assert.deepEqual(agent("tools: Read, Bash(git add:*, git status), Write").tools, [
    "Read",
    "Bash(git add:*, git status)",
    "Write",
  ]);
  assert.deepEqual(agent("tools: 'Bash(git, Read'").tools, ["Bash(git, Read"]);
  assert.deepEqual(agent("tools: ',, a ,'").tools, ["a"]);
});

test("A name becomes one that a participant can have, whatever it has in it", () => {
  assert.equal(agent('name: "Code\\u202e Review\\u001b[31m!"').name, "Code-Review-31m");
  assert.equal(agent("name: ../../etc/passwd").name, "etc-passwd");
  assert.equal(agent("name: $(rm -rf ~)").name, "rm--rf");
  assert.equal(agent(`name: ${"n".repeat(5_000)}`).name, "n".repeat(64));
  for (const name of ["'---'", "'42'", "user", "'\u200b'"])
    assert.throws(() => agent(`name: ${name}`), AgentFileError, name);
});

// Parts of these were searched again from each of the characters before them: each took minutes.
test("A file that is made to be slow is read", () => {
  assert.equal(agent(`name: x${"-".repeat(95_000)}b`).name, "x");
  assert.equal(agent(`tools: "${"a(".repeat(45_000)}"`).tools?.length, 1);
  assert.equal(agent(`tools: "${"a,".repeat(45_000)}"`).tools?.length, 200);
  assert.equal(agent(`tools: ["${"mcp__a__".repeat(10_000)}\\n"]`).tools?.length, 1);
});

test("Aliases that multiply, keys that are maps, and nesting without end are refused in a sentence", () => {
  const lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
  for (const [at, name] of [..."bcdefghi"].entries())
    lines.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${"abcdefghi"[at]}`).join(", ")}]`);
  assert.throws(() => agent(lines.join("\n")), /repeats values with aliases/);
  assert.throws(() => agent("tools: &a [*a]"), /tools should be names/);
  assert.deepEqual(agent("handoffs: &a [*a]").handoffs, []);
  assert.throws(() => agent("? [a, b]\n: c"), /a key that is a map or a list/);
  assert.throws(() => agent(`a: ${"[".repeat(20_000)}`), AgentFileError);
  assert.throws(() => agent("- a\n- b"), /should have fields/);
  assert.throws(() => agent("name: [a]"), /name should be text/);
  assert.throws(() => agent("a: !!js/function 'x'\nb: ]"), AgentFileError);
});

test("What a file asks for beyond instructions and tools is left out, and said", () => {
  const { leftOut, ...found } = agent(
    "name: a\n__proto__: { tools: [x] }\nconstructor: x\nmodels: { default: { provider: openai } }\nenv: { A: b }\n" +
      "capabilities: [x]\npermissionMode: bypassPermissions\nhooks: { Stop: [] }\nmcp-servers: { x: { command: rm } }",
  );
  assert.deepEqual(found, { name: "a", instructions: "Do it.", handoffs: [] });
  for (const key of ["models", "env", "capabilities", "permissionMode", "hooks", "mcp-servers"])
    assert.ok(leftOut.includes(`"${key}" is not used`), `${key} in ${leftOut.join(", ")}`);
});
