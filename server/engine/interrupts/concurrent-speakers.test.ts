import assert from "node:assert/strict";
import { test } from "node:test";
import { GavelError } from "../../../shared/contract/errors.ts";
import { aborted, ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { names, type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** Models that each stream a word and then wait for `go`; `deaf` ones ignore an abort. */
function streaming(deaf = false) {
  const go = Promise.withResolvers<void>();
  const speaker = (word: string): ScriptedModel =>
    new ScriptedModel(
      [...say(`${word} `), { type: deaf ? "hang" : "wait", until: go.promise }, ...say("and more")],
      say(`${word} again`),
    );
  return { go: go.resolve, speaker };
}

const graph = { kind: "graph" as const, graph: { edges: [] } };

const sources = ({ team }: TestTeam): string[] =>
  team.state.thread.map(({ source, partial }) => `${source}${partial ? "…" : ""}`);

for (const deaf of [false, true]) {
  test(`one of several speakers is interrupted${deaf ? " and does not stop" : ""}: the receipt and the thread have its partial alone, the others go on`, async () => {
    const { go, speaker } = streaming(deaf);
    const speakers = { ann: speaker("ann"), bob: speaker("bob"), cid: speaker("cid") };
    const fixture = testTeam({ ...graph, speakers, graceMs: 1 });
    const streamed = fixture.next("message/chunk", 3);
    const run = fixture.team.run("t");
    await streamed;

    const receipt = await fixture.team.interrupt({ scope: { participant: "bob" } });

    assert.deepEqual(
      receipt.partials.map(({ source, content, partial }) => [source, content, partial]),
      [["bob", "bob ", true]],
    );
    assert.deepEqual(receipt.stopped?.participants, [{ participant: "bob" }]);
    assert.deepEqual([receipt.stopReason, receipt.status, receipt.kept?.words], [null, "running", 1]);
    assert.deepEqual(fixture.said(), ["user: t", "bob: bob …"]);
    assert.deepEqual(
      fixture.team.state.participants.map(({ activity }) => activity),
      ["speaking", "idle", "speaking"],
    );
    go();
    const result = await run;
    assert.deepEqual([result.stopReason, result.status.code], ["USER_INTERRUPT", "interrupted"]);
    assert.deepEqual(fixture.said().sort(), ["ann: ann and more", "bob: bob …", "cid: cid and more", "user: t"]);
    assert.deepEqual(fixture.team.state, fixture.folded());

    await fixture.team.run();
    assert.deepEqual(fixture.said().slice(4), ["bob: bob again"]);
    assert.equal(speakers.ann.requests.length + speakers.cid.requests.length, 2);
  });
}

test("two of three speakers are interrupted at once: each receipt has its own partial", async () => {
  const { go, speaker } = streaming();
  const fixture = testTeam({ ...graph, speakers: { ann: speaker("ann"), bob: speaker("bob"), cid: speaker("cid") } });
  const streamed = fixture.next("message/chunk", 3);
  const run = fixture.team.run("t");
  await streamed;

  const receipts = await Promise.all(
    ["ann", "cid"].map((participant) => fixture.team.interrupt({ scope: { participant } })),
  );

  assert.deepEqual(
    receipts.map(({ partials, stopped }) => [partials.map(({ source }) => source), stopped?.participants]),
    [
      [["ann"], [{ participant: "ann" }]],
      [["cid"], [{ participant: "cid" }]],
    ],
  );
  go();
  await run;
  assert.deepEqual(sources(fixture), ["user", "ann…", "cid…", "bob"]);
});

test("one of several speakers is interrupted while its tool runs: its call has a result, and the others keep theirs", async () => {
  const hold = Promise.withResolvers<string>();
  const slow = testTool("slow", () => hold.promise);
  const [ann, bob] = [new ScriptedModel(ask(call("a", "slow")), say("ann")), new ScriptedModel(ask(call("b", "slow")))];
  const fixture = testTeam({ ...graph, speakers: { ann, bob }, tools: [slow], graceMs: 1 });
  const started = fixture.next("tool/started", 2);
  const run = fixture.team.run("t");
  await started;

  const receipt = await fixture.team.interrupt({ scope: { participant: "ann" } });

  assert.deepEqual(
    receipt.abandonedTools.map(({ participant, name }) => [participant, name]),
    [["ann", "slow"]],
  );
  assert.equal(fixture.team.isRunning, true);
  hold.resolve("late");
  await run;
  assert.deepEqual(sources(fixture), ["user", "bob"]);
});

test("one of several speakers in a nested team is interrupted: the receipt does not wait for the others", async () => {
  const { go, speaker } = streaming();
  const ann = speaker("ann");
  const fixture = testTeam({
    speakers: { ann, bob: speaker("bob"), lead: () => "lead" },
    participants: [
      {
        name: "desks",
        kind: "team",
        team: {
          name: "Desks",
          kind: "graph",
          graph: { edges: [] },
          participants: [
            { name: "ann", model: "ann" },
            { name: "bob", model: "bob" },
          ],
        },
      },
      { name: "lead" },
    ],
    maxTurns: 2,
  });
  const streamed = fixture.next("message/chunk", 2);
  const run = fixture.team.run("t");
  await streamed;

  const receipt = await fixture.team.interrupt({ scope: { participant: "ann" } });

  assert.deepEqual(
    receipt.partials.map(({ source }) => source),
    ["ann"],
  );
  assert.deepEqual(receipt.stopped?.participants, [{ participant: "ann", path: ["desks"] }]);
  assert.deepEqual([receipt.stopReason, receipt.status], [null, "running"]);
  go();
  assert.equal((await run).stopReason, "USER_INTERRUPT");
  const inner = fixture.team.state.inner?.["desks"];
  assert.deepEqual(
    inner?.thread.map(({ source, partial }) => `${source}${partial ? "…" : ""}`),
    ["user", "ann…", "bob"],
  );
});

test("a thought is completed by one of several speakers: it is closed before the receipt, and the others go on", async () => {
  const { go, speaker } = streaming();
  const look = testTool("look");
  const step = Promise.withResolvers<void>();
  const bob = new ScriptedModel([...say("bob "), { type: "wait", until: step.promise }, ...ask(call("1", "look"))]);
  const fixture = testTeam({ ...graph, speakers: { ann: speaker("ann"), bob }, tools: [look] });
  const streamed = fixture.next("message/chunk", 2);
  const run = fixture.team.run("t");
  await streamed;

  const interrupting = fixture.team.interrupt({ scope: { participant: "bob" }, grace: "thought" });
  step.resolve();
  const receipt = await interrupting;

  assert.deepEqual(receipt.stopped?.participants, [{ participant: "bob" }]);
  assert.deepEqual(
    receipt.stopped?.tools.map(({ name }) => name),
    ["look"],
  );
  assert.deepEqual([fixture.team.isRunning, look.runs.length], [true, 0]);
  go();
  await run;
});

test("`reset` is for the whole team: with a scope it is refused, and nothing is stopped", async () => {
  const { go, speaker } = streaming();
  const fixture = testTeam({ speakers: { ann: speaker("ann"), ...names("bob") }, maxTurns: 2 });
  const streamed = fixture.next("message/chunk");
  const run = fixture.team.run("t");
  await streamed;

  for (const scope of [{ participant: "ann" }, { participant: "bob" }, { ref: "call_1" }]) {
    await assert.rejects(fixture.team.interrupt({ scope, severity: "reset" }), (error) => {
      assert.ok(error instanceof GavelError);
      assert.equal(error.data.code, "InvalidParams");
      assert.match(error.message, /reset is for the whole team; leave out the scope/);
      return true;
    });
  }
  go();
  assert.equal((await run).status.code, "success");
  assert.ok(!fixture.types().includes("interrupt/requested"));
});

test("one of two participants whose approved tools run is interrupted: the other's tool ends, and its result is kept", async () => {
  const hold = Promise.withResolvers<string>();
  const pay = testTool(
    "pay",
    (_, { participant, signal }) =>
      participant === "ann" ? aborted(signal).then(() => assert.fail("stopped")) : hold.promise,
    { approval: "ask" },
  );
  const [ann, bob] = [
    new ScriptedModel(ask(call("a", "pay")), say("ann")),
    new ScriptedModel(ask(call("b", "pay")), say("bob")),
  ];
  const fixture = testTeam({ ...graph, speakers: { ann, bob }, tools: [pay] });
  await fixture.team.run("t");
  const started = fixture.next("tool/started", 2);
  const answered = fixture.team.resolveTools({ restart: [{ ref: fixture.ref("a") }, { ref: fixture.ref("b") }] });
  await started;

  const receipt = await fixture.team.interrupt({ scope: { participant: "ann" } });

  assert.deepEqual(
    receipt.stopped?.tools.map(({ participant }) => participant),
    ["ann"],
  );
  assert.deepEqual([receipt.stopReason, fixture.team.isRunning], [null, true]);
  hold.resolve("paid");
  assert.equal((await answered).result?.stopReason, "USER_INTERRUPT");
  assert.deepEqual([ann.requests.length, bob.requests.length], [1, 1]);

  await fixture.team.run();
  assert.deepEqual(sources(fixture).sort(), ["ann", "bob", "user"]);
  assert.equal(bob.lastItems.find((item) => item.role === "tool")?.output, "paid");
  assert.match(String(ann.lastItems.find((item) => item.role === "tool")?.output), /interrupted this call/);
});
