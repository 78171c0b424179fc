import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { AnsweringModel, textOfRequest } from "../testing/answering-model.ts";
import { microtasks } from "../testing/microtasks.ts";
import { aborted, ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { names, type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/**
 * A run that a condition, `maxTurns` or `team/stop` ended goes on where it stood, in the team itself and in one that loads
 * its saved state (AutoGen's tests of GraphFlow: resume_with_termination_condition, stateful_pause_and_resume).
 */

const OVER = "The graph is complete.";

const chain = { edges: ["ann>bob", "bob>cid"].map((edge) => ({ from: edge.slice(0, 3), to: edge.slice(4) })) };
const line = (more: Partial<TestTeamOptions> = {}): TestTeam =>
  testTeam({ speakers: names("ann", "bob", "cid"), kind: "graph", graph: chain, ...more });

const diamond = {
  edges: ["ann>bob", "ann>cid", "bob>dan", "cid>dan"].map((edge) => ({ from: edge.slice(0, 3), to: edge.slice(4) })),
};

/** The participants whose turns have ended, in order. */
const finished = (events: readonly TeamEvent[]): string[] =>
  events.flatMap((event) => (event.type === "reasoning/conclusion" && !event.interrupted ? [event.from] : []));

/** Where a stopped team can go on: as it is, in another process, and in a new team that loads its state. */
const places: Readonly<Record<string, (stopped: TestTeam, fresh: () => TestTeam) => TestTeam>> = {
  "the same team": (stopped) => stopped,
  "another process": (stopped) => stopped.reopened(),
  "a new team that loads the state": (stopped, fresh) => {
    const other = fresh();
    other.team.load(JSON.parse(JSON.stringify(stopped.team.save())));
    return other;
  },
};

const stops: Readonly<Record<string, { readonly options: Partial<TestTeamOptions>; readonly reason: RegExp }>> = {
  maxMessages: { options: { termination: { maxMessages: 3 } }, reason: /^Maximum number of messages 3/ },
  sourceMatch: { options: { termination: { sourceMatch: { sources: ["bob"] } } }, reason: /^'bob' answered/ },
  maxTurns: { options: { maxTurns: 2 }, reason: /^Maximum number of turns 2/ },
};

describe("a graph that was stopped", () => {
  for (const [stop, { options, reason }] of Object.entries(stops)) {
    for (const [place, goOn] of Object.entries(places)) {
      for (const task of [undefined, "go on"]) {
        it(`by ${stop} goes on where it stood, in ${place}, ${task === undefined ? "without" : "with"} a task`, async () => {
          const stopped = line(options);
          assert.match((await stopped.team.run("t")).stopReason ?? "", reason);
          assert.deepEqual(finished(stopped.events), ["ann", "bob"]);

          const { team } = goOn(stopped, () => line());
          const { messages, stopReason } = await team.run(task);

          assert.deepEqual(
            messages.map(({ source }) => source),
            task === undefined ? ["cid"] : ["user", "cid"],
          );
          assert.match(
            stopReason ?? "",
            stop === "maxMessages" && task !== undefined ? /complete|Maximum/ : /complete/,
          );
          const { messages: again } = await team.run("once more");
          assert.deepEqual(
            again.slice(0, 2).map(({ source }) => source),
            ["user", "ann"],
          );
        });
      }
    }
  }

  it("by team/stop goes on where it stood", async () => {
    const { team, events, next } = line();
    void next("reasoning/start", 2).then(() => team.stop());
    assert.match((await team.run("t")).stopReason ?? "", /External termination/);
    assert.deepEqual(finished(events), ["ann", "bob"]);
    assert.equal((await team.run()).stopReason, OVER);
    assert.deepEqual(finished(events), ["ann", "bob", "cid"]);
  });

  it("between two branches continues with the join, once for both", async () => {
    for (let count = 2; count <= 4; count++) {
      const { team, events } = testTeam({
        speakers: names("ann", "bob", "cid", "dan"),
        kind: "graph",
        graph: diamond,
        termination: { maxMessages: count },
      });
      await team.run("t");
      for (let runs = 0; runs < 3 && finished(events).length < 4; runs++) await team.run();
      assert.deepEqual(finished(events), ["ann", "bob", "cid", "dan"], `${count} messages`);
    }
  });

  it("by a condition at its last turn is complete: the next task starts it over", async () => {
    const { team, events } = line({ termination: { maxMessages: 4 } });
    for (let task = 1; task <= 2; task++) {
      assert.match((await team.run(`task ${task}`)).stopReason ?? "", /^Maximum number of messages 4/);
    }
    assert.deepEqual(finished(events), ["ann", "bob", "cid", "ann", "bob", "cid"]);
  });

  it("by an interrupt of the severity stop, or the hard stop, starts over", async () => {
    const aborter = new AbortController();
    for (const how of ["stop", "cancel"]) {
      const { team, events, next } = line();
      const stopping = next("reasoning/start", 2).then(() =>
        how === "stop" ? team.interrupt({ severity: "stop" }).then(() => {}) : aborter.abort(),
      );
      await team.run("t", { signal: aborter.signal });
      await stopping;
      const before = finished(events).length;
      await team.run("again");
      assert.deepEqual(finished(events).slice(before), ["ann", "bob", "cid"], how);
    }
  });

  it("within a team goes on in the participant's next turn", async () => {
    const { team, events } = testTeam({
      speakers: names("ann", "bob", "cid", "eve"),
      participants: [
        {
          name: "group",
          kind: "team",
          team: {
            name: "Group",
            kind: "graph",
            participants: ["ann", "bob", "cid"].map((name) => ({ name })),
            graph: chain,
            maxTurns: 1,
          },
        },
        { name: "eve" },
      ],
      maxTurns: 6,
    });
    await team.run("t");
    assert.deepEqual(
      finished(events).filter((name) => name !== "group" && name !== "eve"),
      ["ann", "bob", "cid"],
    );
  });
});

describe("a directed message to a graph that is complete", () => {
  for (const [place, goOn] of Object.entries(places)) {
    it(`is answered, and does not start it over, in ${place}`, async () => {
      const done = line();
      await done.team.run("t");
      const { team, events, next } = goOn(done, () => line());
      const before = finished(events).length;

      const over = next("run/ended");
      assert.equal((await team.sendUserMessage("bob", ["What do you think?"])).stopReason, "USER_MESSAGE_COMPLETED");
      await over;
      assert.deepEqual(finished(events).slice(before), ["bob"]);
      assert.equal(team.state.status, "idle");

      await team.run("again");
      assert.deepEqual(finished(events).slice(before), ["bob", "ann", "bob", "cid"]);
    });
  }

  it("that a condition, a stop or an abort ends does not start it over either, nor does the next one", async () => {
    const ends: Readonly<Record<string, (fixture: TestTeam) => Promise<unknown>>> = {
      condition: ({ team }) => team.sendUserMessage("bob", ["STOP now"]),
      stop: async ({ team, next }) => {
        const speaking = next("reasoning/start");
        const sent = team.sendUserMessage("bob", ["Hello?"]);
        await speaking;
        await team.interrupt({ severity: "stop" });
        await sent;
      },
      abort: async ({ team, next }) => {
        const aborter = new AbortController();
        void next("reasoning/start").then(() => aborter.abort());
        await team.sendUserMessage("bob", ["Hello?"], { signal: aborter.signal });
      },
    };
    for (const [how, end] of Object.entries(ends)) {
      const fixture = line({ termination: { textMention: { text: "STOP" } } });
      const { team, events, next } = fixture;
      await team.run("t");
      await end(fixture);
      const over = next("run/ended");
      await team.sendUserMessage("cid", ["And you?"]);
      await over;
      assert.deepEqual(finished(events), ["ann", "bob", "cid", "cid"], how);
      assert.equal((await team.run("again")).stopReason, OVER, how);
    }
  });

  it("that is interrupted is answered by the next run, which starts nothing else", async () => {
    const { team, events, next } = line();
    await team.run("t");
    const speaking = next("reasoning/start");
    const sent = team.sendUserMessage("bob", ["What do you think?"]);
    await speaking;
    await team.interrupt();
    await sent;

    assert.equal((await team.run()).status.code, "success");
    assert.deepEqual(finished(events), ["ann", "bob", "cid", "bob"]);
    assert.equal((await team.run()).stopReason, OVER);
    assert.deepEqual(finished(events).slice(4), ["ann", "bob", "cid"]);
  });
});

const ledger = (satisfied: boolean, next: string): string =>
  JSON.stringify({
    is_request_satisfied: { reason: "All have spoken.", answer: satisfied },
    is_in_loop: { reason: "", answer: false },
    is_progress_being_made: { reason: "", answer: true },
    next_speaker: { reason: "", answer: next },
    instruction_or_question: { reason: "", answer: "Say what you know." },
  });

/** An orchestrator for which ann speaks, then bob; `planned` counts its plans. */
function orchestrated(more: Partial<TestTeamOptions> = {}): { readonly fixture: TestTeam; planned: () => number } {
  const chief = new AnsweringModel((request) => {
    const text = textOfRequest(request);
    if (request.output !== undefined)
      return ledger(text.includes("bob: bob"), text.includes("ann: ann") ? "bob" : "ann");
    return text.includes("Write the final answer") ? "The answer is four." : "A PLAN";
  });
  const fixture = testTeam({
    kind: "magentic",
    participants: ["ann", "bob"].map((name) => ({ name, description: `Is ${name}.` })),
    speakers: { ...names("ann", "bob"), chief },
    magentic: { model: "chief" },
    ...more,
  });
  const planned = (): number =>
    fixture.events.filter((event) => event.type === "model/asked" && event.purpose === "plan").length;
  return { fixture, planned };
}

describe("an orchestrator that was stopped", () => {
  for (const [place, goOn] of Object.entries(places)) {
    it(`keeps its plan, in ${place}`, async () => {
      const stopped = orchestrated({ maxTurns: 1 });
      assert.match((await stopped.fixture.team.run("t")).stopReason ?? "", /^Maximum number of turns 1/);
      assert.equal(stopped.planned(), 1);

      const fresh = orchestrated();
      const { team, events } = goOn(stopped.fixture, () => fresh.fixture);
      const before = events.length;
      const isAnswered = (): boolean => team.state.thread.some(({ content }) => content === "The answer is four.");
      for (let runs = 0; runs < 2 && !isAnswered(); runs++) await team.run();
      assert.ok(isAnswered());

      const later = events.slice(before);
      assert.deepEqual(finished(later), ["bob"]);
      assert.deepEqual(
        later.filter((event) => event.type === "model/asked" && event.purpose === "plan"),
        [],
      );
    });
  }

  it("by a directed message after its answer does not plan again", async () => {
    const { fixture, planned } = orchestrated();
    await fixture.team.run("t");
    const over = fixture.next("run/ended");
    await fixture.team.sendUserMessage("ann", ["And you?"]);
    await over;
    assert.equal(planned(), 1);
    assert.equal(fixture.said().at(-1), "ann: ann");
    await fixture.team.run("another task");
    assert.equal(planned(), 2);
  });
});

describe("a condition that fires in one branch of a graph", () => {
  const fork = { edges: ["ann>bob", "ann>cid"].map((edge) => ({ from: edge.slice(0, 3), to: edge.slice(4) })) };
  const reason = "'cid' answered";

  it("while a call waits in the other ends the run when the call is decided", async () => {
    const pay = testTool("pay", () => "paid", { approval: "ask" });
    const bob = new ScriptedModel(ask(call("c1", "pay")), say("bob"));
    const { team, ref } = testTeam({
      speakers: { ...names("ann", "cid"), bob },
      tools: [pay],
      kind: "graph",
      graph: fork,
      termination: { sourceMatch: { sources: ["cid"] } },
    });
    assert.equal((await team.run("t")).stopReason, "TOOL_INTERRUPT");
    const { result } = await team.resolveTools({ restart: [{ ref: ref("c1") }] });
    assert.equal(result?.stopReason, reason);
  });

  it("while the other is interrupted ends the next run, before anyone speaks", async () => {
    let times = 0;
    const bob = async (_: unknown, signal: AbortSignal): Promise<string> => {
      if (times++ === 0) await aborted(signal);
      return "bob";
    };
    const fixture = testTeam({
      speakers: { ...names("ann", "cid"), bob },
      kind: "graph",
      graph: fork,
      termination: { sourceMatch: { sources: ["cid"] } },
    });
    const { team, next } = fixture;
    const cidIsDone = next("reasoning/conclusion", 2);
    const running = team.run("t");
    await cidIsDone;
    await microtasks(20);
    await team.interrupt();
    assert.equal((await running).stopReason, "USER_INTERRUPT");
    const { stopReason, messages } = await team.run();
    assert.deepEqual([stopReason, messages], [reason, []]);
    assert.equal((await team.run()).stopReason, OVER);
    assert.deepEqual(finished(fixture.events), ["ann", "cid", "bob"]);
  });
});
