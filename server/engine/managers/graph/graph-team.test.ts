import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TeamEvent } from "../../../../shared/contract/event.ts";
import { interruptAt } from "../../testing/interrupt-at.ts";
import { MemoryJournal } from "../../testing/memory-journal.ts";
import { aborted, ask, call, ScriptedModel, say } from "../../testing/scripted-model.ts";
import { names, TEAM_ID, type TestTeam, testTeam } from "../../testing/test-team.ts";
import { testTool } from "../../testing/test-tool.ts";

const OVER = "The graph is complete.";

const diamond = {
  edges: [
    { from: "ann", to: "bob" },
    { from: "ann", to: "cid" },
    { from: "bob", to: "dan" },
    { from: "cid", to: "dan" },
  ],
};

/** The participants whose turns have ended, in order. */
const finished = (events: readonly TeamEvent[]): string[] =>
  events.flatMap((event) => (event.type === "reasoning/conclusion" && !event.interrupted ? [event.from] : []));

/** A diamond in which cid speaks in its first turn until it is interrupted. */
function withSlowCid(): TestTeam & { readonly cidSpeaks: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let times = 0;
  const cid = async (_: unknown, signal: AbortSignal): Promise<string> => {
    resolve();
    if (times++ === 0) await aborted(signal);
    return "cid";
  };
  const speakers = { ...names("ann", "bob", "cid", "dan"), cid };
  return { ...testTeam({ speakers, kind: "graph", graph: diamond }), cidSpeaks: promise };
}

describe("a graph team", () => {
  it("runs each participant once, joins the branches, and ends", async () => {
    const { team, said } = testTeam({ speakers: names("ann", "bob", "cid", "dan"), kind: "graph", graph: diamond });
    const result = await team.run("t");
    assert.equal(result.stopReason, OVER);
    assert.deepEqual(result.status, { code: "success" });
    assert.deepEqual(said(), ["user: t", "ann: ann", "bob: bob", "cid: cid", "dan: dan"]);
  });

  it("runs the branches of a fork in parallel", async () => {
    const [bobSpeaks, cidSpeaks] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const speakers = {
      ...names("ann", "bob", "cid", "dan"),
      bob: async () => {
        bobSpeaks.resolve();
        await cidSpeaks.promise;
        return "bob";
      },
      cid: async () => {
        cidSpeaks.resolve();
        await bobSpeaks.promise;
        return "cid";
      },
    };
    const { team, said } = testTeam({ speakers, kind: "graph", graph: diamond });
    await team.run("t");
    assert.deepEqual(said().sort(), ["ann: ann", "bob: bob", "cid: cid", "dan: dan", "user: t"]);
    assert.equal(said().at(-1), "dan: dan");
  });

  it("continues in one branch while another one is speaking", async () => {
    const eveSpoke = Promise.withResolvers<void>();
    const speakers = {
      ...names("ann", "bob", "cid"),
      bob: async () => {
        await eveSpoke.promise;
        return "bob";
      },
      eve: () => {
        eveSpoke.resolve();
        return "eve";
      },
    };
    const edges = [
      { from: "ann", to: "bob" },
      { from: "ann", to: "cid" },
      { from: "cid", to: "eve" },
    ];
    const { team, said } = testTeam({ speakers, kind: "graph", graph: { edges } });
    const result = await team.run("t");
    assert.deepEqual(said(), ["user: t", "ann: ann", "cid: cid", "eve: eve", "bob: bob"]);
    assert.equal(result.stopReason, OVER);
  });

  it("reports each choice with its speakers, and no choice without speakers", async () => {
    const { team, events } = testTeam({ speakers: names("ann", "bob", "cid", "dan"), kind: "graph", graph: diamond });
    await team.run("t");
    const chosen = events.flatMap((event) => (event.type === "speaker/selected" ? [event.participants] : []));
    assert.deepEqual(chosen, [["ann"], ["bob", "cid"], ["dan"]]);
  });

  it("repeats a loop until its exit is taken", async () => {
    let drafts = 0;
    const speakers = {
      writer: () => `draft ${++drafts}`,
      critic: () => (drafts < 3 ? "again" : "APPROVE"),
      printer: () => "printed",
    };
    const edges = [
      { from: "writer", to: "critic" },
      { from: "critic", to: "writer", when: { lacks: "APPROVE" } },
      { from: "critic", to: "printer", when: "APPROVE" },
    ];
    const { team, events } = testTeam({ speakers, kind: "graph", graph: { edges } });
    const { stopReason } = await team.run("t");
    assert.deepEqual(finished(events), ["writer", "critic", "writer", "critic", "writer", "critic", "printer"]);
    assert.equal(stopReason, OVER);
  });

  it("starts over with a new task after it is complete", async () => {
    const { team, events } = testTeam({ speakers: names("ann", "bob", "cid", "dan"), kind: "graph", graph: diamond });
    await team.run("t");
    await team.run("again");
    assert.deepEqual(finished(events), ["ann", "bob", "cid", "dan", "ann", "bob", "cid", "dan"]);
  });
});

describe("a graph team that is interrupted", () => {
  it("continues with what is left, and runs completely for the next task", async () => {
    const { team, events, cidSpeaks, next } = withSlowCid();
    const bobIsDone = next("reasoning/conclusion", 2);
    const running = team.run("t");
    await Promise.all([cidSpeaks, bobIsDone]);
    await team.interrupt();
    assert.equal((await running).stopReason, "USER_INTERRUPT");
    assert.deepEqual(finished(events), ["ann", "bob"]);

    assert.equal((await team.run()).stopReason, OVER);
    assert.deepEqual(finished(events), ["ann", "bob", "cid", "dan"]);

    await team.run("again");
    assert.deepEqual(finished(events).slice(4), ["ann", "bob", "cid", "dan"]);
  });

  it("by a message to a participant continues after the answer, which counts for no edge", async () => {
    const { team, events, cidSpeaks, said, next } = withSlowCid();
    const bobIsDone = next("reasoning/conclusion", 2);
    const running = team.run("t");
    await Promise.all([cidSpeaks, bobIsDone]);
    const over = new Promise<TeamEvent>((resolve) => {
      team.onEvent((event) => event.type === "run/ended" && event.stopReason === OVER && resolve(event));
    });
    await team.sendUserMessage("dan", ["what do you think?"]);
    await Promise.all([running, over]);
    assert.deepEqual(said(), [
      "user: t",
      "ann: ann",
      "bob: bob",
      "user: what do you think?",
      "dan: dan",
      "cid: cid",
      "dan: dan",
    ]);
    assert.deepEqual(finished(events), ["ann", "bob", "dan", "cid", "dan"]);
  });

  it("by a failing participant ends with an error, and can continue", async () => {
    let times = 0;
    const bob = (): string => {
      if (times++ === 0) throw new Error("bob fell ill");
      return "bob";
    };
    const speakers = { ...names("ann", "bob", "cid", "dan"), bob };
    const { team, events } = testTeam({ speakers, kind: "graph", graph: diamond });
    assert.equal((await team.run("t")).status.message, "bob fell ill");
    assert.equal((await team.run()).stopReason, OVER);
    assert.deepEqual([...new Set(finished(events))].sort(), ["ann", "bob", "cid", "dan"]);
    assert.equal(finished(events).length, 4);
  });

  it("by an interrupt at any event runs each participant once in total", async () => {
    const graph = { speakers: names("ann", "bob", "cid", "dan"), kind: "graph" as const, graph: diamond };
    for (const type of [
      "run/started",
      "message/added",
      "speaker/selected",
      "reasoning/start",
      "reasoning/conclusion",
    ] as const) {
      for (let nth = 1; nth <= 3; nth++) {
        const { team, events } = testTeam(graph);
        const where = `${type} ${nth}`;
        if (type === "run/started" && nth > 1) continue;
        const interrupting = interruptAt(team, type, nth);
        await team.run("t");
        await interrupting;
        assert.equal((await team.run()).stopReason, OVER, where);
        assert.deepEqual(finished(events).sort(), ["ann", "bob", "cid", "dan"], where);
      }
    }
  });

  it("by the end of its host at any time runs each participant once in total", async () => {
    const graph = { speakers: names("ann", "bob", "cid", "dan"), kind: "graph" as const, graph: diamond };
    const whole = testTeam(graph);
    await whole.team.run("t");
    const { events } = whole.journal;
    const begun = events.findIndex(({ type }) => type === "message/added") + 1;
    const over = events.findIndex(({ type }) => type === "run/ended");
    for (let kept = begun; kept < over; kept++) {
      const journal = new MemoryJournal();
      journal.kept.push(...events.slice(0, kept));
      const { team } = testTeam({ ...graph, journal, stored: journal.stored(TEAM_ID, whole.definition) });
      team.recover();
      assert.equal((await team.run()).stopReason, OVER);
      assert.deepEqual(finished(journal.events).sort(), ["ann", "bob", "cid", "dan"], `after event ${kept}`);
    }
  });
});

describe("a graph team that waits for the user", () => {
  it("for a decision on a call continues only that branch once it is made", async () => {
    const pay = testTool("pay", () => "paid", { approval: "ask" });
    const bob = new ScriptedModel(ask(call("c1", "pay")), say("bob"));
    const speakers = { ...names("ann", "bob", "cid", "dan"), bob };
    const { team, events, ref } = testTeam({ speakers, tools: [pay], kind: "graph", graph: diamond });
    assert.equal((await team.run("t")).stopReason, "TOOL_INTERRUPT");
    assert.deepEqual(finished(events), ["ann", "cid"]);
    const { result } = await team.resolveTools({ restart: [{ ref: ref("c1") }] });
    assert.equal(result?.stopReason, OVER);
    assert.deepEqual(finished(events), ["ann", "cid", "bob", "dan"]);
  });

  it("for the user's turn takes the edges that match the user's message", async () => {
    const edges = [
      { from: "ann", to: "me" },
      { from: "me", to: "ann", when: "again" },
      { from: "me", to: "bob", when: { lacks: "again" } },
    ];
    const participants = [{ name: "ann" }, { name: "me", kind: "user" as const }, { name: "bob" }];
    const { team, said } = testTeam({ speakers: names("ann", "bob"), participants, kind: "graph", graph: { edges } });
    assert.equal((await team.run("t")).stopReason, "USER_INPUT_REQUESTED");
    assert.equal((await team.run("once again")).stopReason, "USER_INPUT_REQUESTED");
    assert.equal((await team.run("good")).stopReason, OVER);
    assert.deepEqual(said(), ["user: t", "ann: ann", "me: once again", "ann: ann", "me: good", "bob: bob"]);
  });
});

it("a graph team within a team is one participant, and starts over each time", async () => {
  const inner = {
    name: "Inner",
    kind: "graph" as const,
    participants: ["ann", "bob", "cid", "dan"].map((name) => ({ name })),
    graph: diamond,
  };
  const participants = [{ name: "group", kind: "team" as const, team: inner }, { name: "eve" }];
  const speakers = names("ann", "bob", "cid", "dan", "eve");
  const { team, events } = testTeam({ speakers, participants, maxTurns: 3 });
  await team.run("t");
  const once = ["ann", "bob", "cid", "dan", "group"];
  assert.deepEqual(finished(events), [...once, "eve", ...once]);
});
