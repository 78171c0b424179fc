import assert from "node:assert/strict";
import { test } from "node:test";
import type { PendingTool } from "../../../shared/contract/team.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { type TestTeam, testTeam } from "../testing/test-team.ts";
import { type TestTool, testTool } from "../testing/test-tool.ts";

/** Ann, and beside her at the same time Eve in the nested team "lab"; each calls `tool`, with the id "call_0". */
function annBesideEve(
  tool: TestTool,
  ann = new ScriptedModel(ask(call("call_0", tool.declaration.name, { by: "ann" }))),
) {
  const eve = new ScriptedModel(ask(call("call_0", tool.declaration.name, { by: "eve" })), say("eve is done"));
  const tools = [tool.declaration.name];
  const lab = {
    name: "Lab",
    kind: "roundRobin" as const,
    participants: [{ name: "eve", model: "eve", tools }],
    maxTurns: 1,
  };
  return testTeam({
    kind: "graph",
    speakers: { chief: () => "go", ann, eve },
    participants: [{ name: "chief" }, { name: "ann", model: "ann", tools }, { name: "lab", kind: "team", team: lab }],
    graph: {
      edges: [
        { from: "chief", to: "ann" },
        { from: "chief", to: "lab" },
      ],
    },
    tools: [tool],
    graceMs: 1,
  });
}

const pay = () => testTool("pay", (input) => input, { approval: "ask" });

function pendingOf({ team }: TestTeam, participant: string): PendingTool {
  const found = team.state.pendingTools.find((pending) => pending.participant === participant);
  assert.ok(found, `${participant} has no pending call`);
  return found;
}

const outputsShown = (model: ScriptedModel) =>
  model.lastItems.flatMap((item) => (item.role === "tool" ? [item.output] : []));

const inputsOf = (tool: TestTool) => tool.runs.map(({ input }) => input);

test("approving one of two calls whose model gave the same id runs that call only, with the input as edited", async () => {
  const tool = pay();
  const run = annBesideEve(tool);
  await run.team.run("t");
  const ann = pendingOf(run, "ann");
  const eve = pendingOf(run, "eve");

  const { remaining } = await run.team.resolveTools({
    restart: [{ ref: ann.ref, input: { by: "ann", edited: true } }],
  });

  assert.deepEqual(inputsOf(tool), [{ by: "ann", edited: true }]);
  assert.deepEqual(remaining, [eve.ref]);
  assert.deepEqual(run.team.state.pendingTools, [eve]);
  await run.team.resolveTools({ deny: [{ ref: eve.ref }] });
  assert.equal(tool.runs.length, 1);
});

test("a preview shows the call that it was asked for", async () => {
  const tool = testTool("pay", () => "", { approval: "ask", preview: async (input) => input });
  const run = annBesideEve(tool);
  await run.team.run("t");

  assert.deepEqual(await run.team.previewTool(pendingOf(run, "eve").ref), { by: "eve" });
  assert.deepEqual(await run.team.previewTool(pendingOf(run, "ann").ref), { by: "ann" });
});

test("an interrupt of one call stops the tool of that call only", async () => {
  const stopped: unknown[] = [];
  const tool = testTool("pay", async (input, { signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    stopped.push(input);
  });
  const run = annBesideEve(tool);
  const both = run.next("tool/started", 2);
  const running = run.team.run("t");
  await both;
  const ref = run.events.flatMap((event) => (event.type === "tool/requested" && event.path ? event.calls : []))[0]?.ref;
  assert.ok(ref);

  const preview = run.team.previewInterrupt({ ref });
  const receipt = await run.team.interrupt({ scope: { ref } });

  assert.deepEqual(stopped, [{ by: "eve" }]);
  assert.deepEqual(
    preview.tools.map(({ participant, path }) => [participant, path]),
    [["eve", ["lab"]]],
  );
  assert.equal(receipt.wasRunning, true);
  await run.team.interrupt();
  await running;
});

test("the late result of a call is not taken for that of another call with the same id", async () => {
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const results = [first, second];
  const tool = testTool("pay", () => results.shift()?.promise);
  const ann = new ScriptedModel(ask(call("call_0", "pay")), ask(call("call_0", "pay")));
  const run = testTeam({ speakers: { ann }, tools: [tool], graceMs: 1, maxTurns: 1 });
  const started = run.next("tool/started");
  const running = run.team.run("t");
  await started;
  await run.team.interrupt({ severity: "reset" });
  await running;
  const again = run.next("tool/started");
  const next = run.team.run("t");
  await again;

  first.resolve("late");
  second.resolve("paid");
  await next;

  assert.deepEqual(outputsShown(ann), ["paid"]);
});

test("the late result of a tool that still runs is not taken for the call of a state that was loaded since", async () => {
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const results = [first, second];
  const tool = testTool("pay", () => results.shift()?.promise, { approval: "ask" });
  const ann = new ScriptedModel(ask(call("call_0", "pay")));
  const run = testTeam({ speakers: { ann }, tools: [tool], graceMs: 1, maxTurns: 1 });
  await run.team.run("t");
  const saved = run.team.save();
  const started = run.next("tool/started");
  const answered = run.team.resolveTools({ restart: [{ ref: pendingOf(run, "ann").ref }] });
  await started;
  await run.team.interrupt();
  await answered;

  run.team.load(saved);
  const again = run.next("tool/started");
  const next = run.team.resolveTools({ restart: [{ ref: pendingOf(run, "ann").ref }] });
  await again;
  first.resolve("late");
  await first.promise;
  second.resolve("paid");
  await next;

  assert.deepEqual(outputsShown(ann), ["paid"]);
});

test("refs differ before and after a reset, a restart, a loaded state and in its copy, and a saved state keeps its refs", async () => {
  const twice = () => new ScriptedModel(ask(call("call_0", "look")), say("done"));
  const options = { tools: [testTool("look")], maxTurns: 1 };
  const origin = testTeam({ speakers: { ann: twice() }, ...options });
  await origin.team.run("t");
  const saved = origin.team.save();
  const fork = testTeam({ speakers: { ann: twice() }, ...options });
  fork.team.load(saved);
  await fork.team.run("t");
  origin.team.reset();
  const again = origin.reopened({ speakers: { ann: twice() } });
  await again.team.run("t");
  again.team.load(saved);
  const last = again.reopened({ speakers: { ann: twice() } });
  assert.deepEqual(last.team.save(), saved);
  await last.team.run("t");

  const requested = [origin, fork, again, last].flatMap(({ events }) =>
    events.flatMap((event) => (event.type === "tool/requested" ? event.calls.map(({ ref }) => ref) : [])),
  );
  assert.equal(requested.length, 4);
  assert.equal(new Set(requested).size, 4);
});

test("what a model is shown is a valid conversation with its own ids, however often it gives the same id", async () => {
  const ann = new ScriptedModel(
    ask(call("call_0", "look"), call("call_0", "look"), call("", "look"), call("__proto__", "look")),
    ask(call("call_0", "look")),
    say("done"),
  );
  const { team } = testTeam({
    speakers: { ann },
    tools: [testTool("look")],
    more: { ann: { maxToolIterations: 3 } },
    maxTurns: 1,
  });
  await team.run("t");

  assert.equal(conversationProblem(ann.lastItems), undefined);
  const calls = ann.lastItems.flatMap((item) => (item.role === "assistant" ? item.calls : []));
  assert.equal(new Set(calls.map(({ ref }) => ref)).size, 5);
  assert.deepEqual(
    calls.map(({ id }) => id),
    ["call_0", "call_0", undefined, "__proto__", "call_0"],
  );
});
