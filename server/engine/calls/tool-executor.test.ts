import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRule } from "../../../shared/contract/approval.ts";
import type { EventDraft } from "../../../shared/contract/event.ts";
import { evaluateCall } from "../approvals/evaluate-call.ts";
import { testTool } from "../testing/test-tool.ts";
import { type Tool, ToolInterrupt } from "../tool.ts";
import { ToolExecutor } from "./tool-executor.ts";

/** An executor with these tools, and the events that it emitted. */
function executorWith(...tools: readonly Tool[]) {
  const emitted: EventDraft[] = [];
  const executor = new ToolExecutor({ teamId: "t", participant: "ann", tools, emit: (draft) => emitted.push(draft) });
  const run = (call: Partial<Parameters<ToolExecutor["run"]>[0]>, signal = new AbortController().signal) =>
    executor.run({ ref: "c1", name: "look", input: {}, ...call }, signal);
  return { run, emitted, types: () => emitted.map(({ type }) => type) };
}

const refusing = (problem: string) => (): never => {
  throw new Error(problem);
};

test("a tool runs with its input, and its output is the call's one result", async () => {
  const look = testTool("look", (_, { output }) => {
    output("searching");
    return { found: 1 };
  });
  const { run, emitted } = executorWith(look);

  assert.deepEqual(await run({ input: { for: "x" } }), {
    kind: "done",
    ref: "c1",
    output: { found: 1 },
    isError: false,
  });
  assert.deepEqual(
    look.runs.map(({ input }) => input),
    [{ for: "x" }],
  );
  assert.deepEqual(emitted, [
    { type: "tool/started", ref: "c1" },
    { type: "tool/output", ref: "c1", delta: "searching" },
    { type: "tool/executed", ref: "c1", name: "look", participant: "ann", output: { found: 1 }, isError: false },
  ]);
});

test("a tool that returns nothing has the output null", async () => {
  const { run } = executorWith(testTool("look", () => undefined));

  assert.deepEqual(await run({}), { kind: "done", ref: "c1", output: null, isError: false });
});

test("an error thrown by a tool is the call's error result", async () => {
  const { run } = executorWith(
    testTool("look", () => {
      throw new Error("no such file");
    }),
  );

  assert.deepEqual(await run({}), { kind: "done", ref: "c1", output: "no such file", isError: true });
});

test("an unknown tool, arguments that do not parse, and invalid input give the model an error, and no tool runs", async () => {
  const look = testTool("look", () => "never", { prepare: refusing("give a path") });
  const { run, types } = executorWith(look, testTool("other"));
  const output = async (call: Parameters<typeof run>[0]): Promise<unknown> => {
    const outcome = await run(call);
    return outcome.kind === "done" && outcome.isError && outcome.output;
  };

  assert.equal(await output({ name: "lock" }), 'There is no tool "lock"; the tools are look, other.');
  assert.equal(await output({ malformed: "no JSON" }), "no JSON");
  assert.equal(await output({}), "give a path");
  assert.equal(look.runs.length, 0);
  assert.deepEqual(types(), ["tool/executed", "tool/executed", "tool/executed"]);
});

test("a tool that cannot say what a call does refuses it: it does not run, and the user is not asked", async () => {
  const effects = () => Promise.reject(new Error("no such file"));
  const look = testTool("look", () => "never", { effects, approval: "ask" });
  const { run, types } = executorWith(look);

  assert.deepEqual(await run({}), { kind: "done", ref: "c1", output: "no such file", isError: true });
  assert.deepEqual(types(), ["tool/executed"]);
  assert.equal(look.runs.length, 0);
});

test("the user is not asked about a call with invalid input", async () => {
  const { run } = executorWith(testTool("look", () => "never", { prepare: refusing("give a path"), approval: "ask" }));

  assert.deepEqual(await run({}), { kind: "done", ref: "c1", output: "give a path", isError: true });
});

test("a call that needs approval is pending, until the user restarts it", async () => {
  const look = testTool("look", () => "seen", { approval: "ask" });
  const { run, emitted } = executorWith(look);

  assert.deepEqual(await run({}), { kind: "pending", ref: "c1" });
  assert.deepEqual(emitted, [
    { type: "tool/interrupted", ref: "c1", name: "look", participant: "ann", input: {}, approval: true },
  ]);
  const restarted = await run({ resumed: { metadata: { resumed: false, note: 1 } } });
  assert.deepEqual(restarted, { kind: "done", ref: "c1", output: "seen", isError: false });
  assert.deepEqual(look.runs[0]?.context.metadata, { resumed: true, note: 1 });
});

test("a restarted call that leads elsewhere than when the user was asked is pending again, unless a rule allows it", async () => {
  const effectsOn = (path: string) => ({ paths: [{ use: "read" as const, path }], hosts: [] });
  const look = testTool("look", () => "seen", {
    approval: "ask",
    effects: async (input) => effectsOn((input as { at?: string }).at ?? "/w/now"),
  });
  const { run, emitted } = executorWith(look);
  const resumed = (places: string[], input?: unknown) => ({ resumed: { metadata: {}, asked: { places, input } } });

  assert.deepEqual(await run(resumed(["/w/then"])), { kind: "pending", ref: "c1" });
  const asked = emitted.at(-1);
  assert.ok(asked?.type === "tool/interrupted");
  assert.deepEqual(asked.places, ["/w/now"]);
  assert.equal(asked.reason, "The call leads elsewhere than when you were asked, to /w/now.");
  assert.deepEqual(await run({ input: { at: "/w/edited" }, ...resumed(["/w/then"], {}) }), {
    kind: "pending",
    ref: "c1",
  });
  assert.equal(look.runs.length, 0);

  assert.equal((await run(resumed(["/w/now"]))).kind, "done");
  assert.equal((await run({ input: { at: "/w/edited" }, ...resumed(["/w/now"], {}) })).kind, "done");
  const allowed = new ToolExecutor({
    teamId: "t",
    participant: "ann",
    tools: [look],
    emit: () => {},
    approve: () => ({ decision: "allow", rules: [], byRule: true, reason: "" }),
  });
  const call = { ref: "c1", name: "look", input: {}, ...resumed(["/w/then"]) };
  assert.equal((await allowed.run(call, new AbortController().signal)).kind, "done");
});

test("a ToolInterrupt makes the call pending with its data; false and 0 are data, no data is true", async () => {
  for (const [given, kept] of [
    [{ q: 1 }, { q: 1 }],
    [false, false],
    [0, 0],
    [null, true],
    [undefined, true],
  ]) {
    const { run, emitted } = executorWith(
      testTool("look", () => {
        throw new ToolInterrupt(given);
      }),
    );

    assert.deepEqual(await run({}), { kind: "pending", ref: "c1" });
    const asked = emitted.at(-1);
    assert.deepEqual(asked?.type === "tool/interrupted" && asked.interrupt, kept);
  }
});

test("a call that is interrupted at its tool/started event does not run, and its result says so", async () => {
  const look = testTool("look");
  const aborter = new AbortController();
  const emitted: EventDraft[] = [];
  const executor = new ToolExecutor({
    teamId: "t",
    participant: "ann",
    tools: [look],
    emit: (draft) => {
      emitted.push(draft);
      aborter.abort();
    },
  });

  assert.deepEqual(await executor.run({ ref: "c1", name: "look", input: {} }, aborter.signal), {
    kind: "interrupted",
    ref: "c1",
  });
  assert.equal(look.runs.length, 0);
  assert.deepEqual(
    emitted.map(({ type }) => type),
    ["tool/started", "tool/executed"],
  );
});

test("a ToolInterrupt thrown after the interrupt is dropped: the call is interrupted, not pending", async () => {
  const aborter = new AbortController();
  const { run, emitted } = executorWith(
    testTool("look", () => {
      aborter.abort();
      throw new ToolInterrupt("still?");
    }),
  );

  assert.deepEqual(await run({}, aborter.signal), { kind: "interrupted", ref: "c1" });
  assert.equal(emitted.at(-1)?.type, "tool/executed");
});

test("a rule overrides the declaration, and the event names the rule that allowed the call", async () => {
  const look = testTool("look", () => "seen", { approval: "ask" });
  const quiet = testTool("quiet", () => "heard");
  const rules: ApprovalRule[] = [
    { id: "r1", decision: "allow", tool: "look", scope: "always", input: { at: 1 } },
    { id: "r2", decision: "deny", tool: "quiet", scope: "always" },
  ];
  const emitted: EventDraft[] = [];
  const executor = new ToolExecutor({
    teamId: "t",
    participant: "ann",
    tools: [look, quiet],
    approve: (call) => evaluateCall(call, rules, { shell: "posix" }),
    emit: (draft) => emitted.push(draft),
  });
  const { signal } = new AbortController();

  assert.equal((await executor.run({ ref: "c1", name: "look", input: { at: 1 } }, signal)).kind, "done");
  const reason = 'The rule "look with exactly the input {"at":1}, always" allows this call.';
  assert.deepEqual(emitted[0], { type: "tool/started", ref: "c1", approved: { rule: "r1", reason } });
  assert.equal((await executor.run({ ref: "c2", name: "look", input: { at: 2 } }, signal)).kind, "pending");
  const denied = await executor.run({ ref: "c3", name: "quiet", input: {} }, signal);
  assert.deepEqual(denied, {
    kind: "done",
    ref: "c3",
    output: 'The rule "quiet, always" denies this call. The tool was not run.',
    isError: true,
  });
  assert.equal(quiet.runs.length, 0);
});

test("rules that throw deny the call: the tool does not run, and the user is not asked", async () => {
  const look = testTool("look", () => "never", { approval: "ask" });
  const emitted: EventDraft[] = [];
  const approve = () => {
    throw new Error("the store is gone");
  };
  const executor = new ToolExecutor({
    teamId: "t",
    participant: "ann",
    tools: [look],
    approve,
    emit: (draft) => emitted.push(draft),
  });

  const outcome = await executor.run({ ref: "c1", name: "look", input: {} }, new AbortController().signal);
  assert.match(outcome.kind === "done" ? String(outcome.output) : "", /denied: the store is gone/);
  assert.deepEqual(
    emitted.map(({ type }) => type),
    ["tool/executed"],
  );
});

test("a call whose arguments do not parse is rejected, even where a rule allows the tool", async () => {
  const look = testTool("look");
  const emitted: EventDraft[] = [];
  const rules: ApprovalRule[] = [{ id: "r1", decision: "allow", tool: "*", scope: "always" }];
  const executor = new ToolExecutor({
    teamId: "t",
    participant: "ann",
    tools: [look],
    approve: (call) => evaluateCall(call, rules, { shell: "posix" }),
    emit: (draft) => emitted.push(draft),
  });

  await executor.run({ ref: "c1", name: "look", input: "{", malformed: "no JSON" }, new AbortController().signal);
  assert.equal(look.runs.length, 0);
});

test("rules, events, the user and the tool see the input in its normal form", async () => {
  const seen: unknown[] = [];
  const look = testTool("look", () => "seen", {
    prepare: (input) => Object.fromEntries(Object.entries(Object(input)).filter(([, value]) => value !== null)),
    effects: async (input) => ({ paths: [{ use: "read", path: `/${Object.keys(Object(input))}` }], hosts: [] }),
  });
  const emitted: EventDraft[] = [];
  const executor = new ToolExecutor({
    teamId: "t",
    participant: "ann",
    tools: [look],
    approve: ({ input, effects }) => {
      seen.push(input, effects?.paths);
      return { decision: "ask", rules: [], byRule: false, reason: "" };
    },
    emit: (draft) => emitted.push(draft),
  });
  const call = { ref: "c1", name: "look", input: { path: "a", more: null } };
  const { signal } = new AbortController();

  await executor.run(call, signal);
  assert.deepEqual(seen, [{ path: "a" }, [{ use: "read", path: "/path" }]]);
  assert.deepEqual(
    emitted.map((draft) => draft.type === "tool/interrupted" && draft.input),
    [{ path: "a" }],
  );
  await executor.run({ ...call, resumed: { metadata: {} } }, signal);
  assert.deepEqual(
    look.runs.map(({ input, context }) => [input, context.effects?.paths]),
    [[{ path: "a" }, [{ use: "read", path: "/path" }]]],
  );
});

test("a restarted call is judged as what runs: an edited input that a rule denies does not run, and what asks was approved", async () => {
  const look = testTool("look", () => "seen", { approval: "ask" });
  const rules: ApprovalRule[] = [
    { id: "r1", decision: "deny", tool: "look", scope: "always", path: "secrets/**" },
    { id: "r2", decision: "ask", tool: "look", scope: "always", path: "src/**" },
  ];
  const executor = new ToolExecutor({
    teamId: "t",
    participant: "ann",
    tools: [look],
    approve: (call) => evaluateCall(call, rules, { shell: "posix" }),
    emit: () => {},
  });
  const restart = (path: string) =>
    executor.run({ ref: "c1", name: "look", input: { path }, resumed: { metadata: {} } }, new AbortController().signal);

  assert.deepEqual(await restart("secrets/key"), {
    kind: "done",
    ref: "c1",
    output: 'The rule "look on the path secrets/**, always" denies this call. The tool was not run.',
    isError: true,
  });
  assert.equal(look.runs.length, 0);
  assert.deepEqual(await restart("src/a.ts"), { kind: "done", ref: "c1", output: "seen", isError: false });
});

for (const slow of ["effects", "approval"] as const) {
  test(`an interrupt while the ${slow} of a call are awaited ends the call at once, and its tool never starts`, async () => {
    const late = Promise.withResolvers<void>();
    const look = testTool("look", () => "never", {
      effects: async () => {
        if (slow === "effects") await late.promise;
        return { paths: [], hosts: [] };
      },
    });
    const emitted: EventDraft[] = [];
    const executor = new ToolExecutor({
      teamId: "t",
      participant: "ann",
      tools: [look],
      approve: async ({ tool }) => {
        if (slow === "approval") await late.promise;
        return { decision: "allow", rules: [], byRule: false, reason: tool.name };
      },
      emit: (draft) => emitted.push(draft),
    });
    const aborter = new AbortController();
    const ended = executor.run({ ref: "c1", name: "look", input: {} }, aborter.signal);

    aborter.abort();
    assert.deepEqual(await ended, { kind: "interrupted", ref: "c1" });
    late.resolve();
    await new Promise(setImmediate);
    assert.equal(look.runs.length, 0);
    assert.deepEqual(
      emitted.map(({ type }) => type),
      ["tool/executed"],
    );
  });
}

for (const byRule of [true, false]) {
  test(`a call that ${byRule ? "a rule or a file" : "only the tool's declaration"} makes pending ${byRule ? "says" : "does not say"} why`, async () => {
    const emitted: EventDraft[] = [];
    const executor = new ToolExecutor({
      teamId: "t",
      participant: "ann",
      tools: [testTool("look")],
      approve: () => ({ decision: "ask", rules: [], byRule, reason: "It may hold secrets." }),
      emit: (draft) => emitted.push(draft),
    });

    await executor.run({ ref: "c1", name: "look", input: {} }, new AbortController().signal);
    const pending = emitted.find((draft) => draft.type === "tool/interrupted");
    assert.deepEqual([pending?.approval, pending?.reason], [true, byRule ? "It may hold secrets." : undefined]);
  });
}
