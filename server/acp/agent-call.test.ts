import assert from "node:assert/strict";
import { test } from "node:test";
import { agentCallEffects, agentCallInput, agentCallOutput, newAgentCall, updatedCall } from "./agent-call.ts";
import { applied } from "./within-calls.ts";

const CWD = "/home/ann/project";

test("a command is shown and judged as the agent gives it, words of a list in quotes", () => {
  const call = updatedCall(newAgentCall, {
    kind: "execute",
    title: "Run",
    rawInput: { command: ["bash", "-lc", "echo 'a b'"], cwd: "sub" },
  });
  const input = agentCallInput(call, CWD);
  assert.deepEqual(input, { title: "Run", command: `bash -lc 'echo '\\''a b'\\'''`, cwd: "/home/ann/project/sub" });
  assert.deepEqual(agentCallEffects("execute", input), {
    command: { line: input.command, folder: "/home/ann/project/sub" },
    paths: [],
    hosts: [],
  });
});

test("what could change what a command does is shown, and then no rule about its words allows it", () => {
  const call = updatedCall(newAgentCall, {
    kind: "execute",
    title: "Run",
    rawInput: { command: "ls", env: { A: "b" } },
  });
  const input = agentCallInput(call, CWD);
  assert.deepEqual(input.details, { command: "ls", env: { A: "b" } });
  assert.equal(agentCallEffects("execute", input), undefined);
});

test("the paths of a call are all that it names, absolute", () => {
  const call = updatedCall(newAgentCall, {
    kind: "edit",
    title: "Edit",
    locations: [{ path: "/home/ann/project/a.ts" }],
    content: [{ type: "diff", path: "b.ts", oldText: "1", newText: "2" }],
    rawInput: { file_path: "../c.ts" },
  });
  const paths = agentCallEffects("edit", agentCallInput(call, CWD))?.paths;
  assert.deepEqual(paths, [
    { use: "write", path: "/home/ann/project/a.ts" },
    { use: "write", path: "/home/ann/c.ts" },
    { use: "write", path: "/home/ann/project/b.ts" },
  ]);
});

test("a call that says nothing of what it uses is allowed only by a rule for all calls of its kind", () => {
  for (const kind of ["edit", "fetch", "execute", "other", "delete"] as const)
    assert.equal(
      agentCallEffects(kind, agentCallInput(updatedCall(newAgentCall, { kind, title: "?" }), CWD)),
      undefined,
    );
});

test("an update changes what it names; the output is what the agent tells, else what its tool gave", () => {
  const first = updatedCall(newAgentCall, { kind: "execute", title: "Run", rawInput: { command: "ls" } });
  const done = updatedCall(first, { rawOutput: { exitCode: 0, stdout: "a.ts" } });
  assert.deepEqual([done.title, done.kind, agentCallOutput(done)], ["Run", "execute", "a.ts"]);
  const told = updatedCall(done, { content: [{ type: "content", content: { type: "text", text: "One file." } }] });
  assert.equal(agentCallOutput(told), "One file.");
});

test("changes of a part apply to the text that has it; others do not", () => {
  const change = (oldText: string | undefined, newText: string) => ({ path: "/a", oldText, newText });
  assert.equal(applied([change("b", "B"), change("c", "C")], "abc"), "aBC");
  assert.equal(applied([change(undefined, "new")], null), "new");
  assert.equal(applied([change("x", "y")], "abc"), undefined);
});
