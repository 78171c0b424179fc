import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { initialTeamState } from "../../../shared/state/team-state.ts";
import { ask, call, ScriptedModel, say, spend } from "../testing/scripted-model.ts";
import { names, TEAM_ID, type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** A chief, and a nested team "research" of two participants with two turns. */
function nested(options: Partial<TestTeamOptions> = {}, inner: Partial<ParticipantDefinition> = {}): TestTeam {
  return testTeam({
    speakers: names("chief", "ann", "bob"),
    participants: [
      { name: "chief" },
      {
        name: "research",
        kind: "team",
        team: { name: "Research", kind: "roundRobin", participants: [{ name: "ann" }, { name: "bob" }], maxTurns: 2 },
        ...inner,
      },
    ],
    maxTurns: 2,
    ...options,
  });
}

const innerThread = ({ team }: TestTeam, name = "research"): string[] =>
  (team.state.inner?.[name]?.thread ?? []).map(
    (message) => `${message.source}: ${message.content}${message.partial ? "…" : ""}`,
  );

test("a nested team has its own conversation, and its last message is its one answer to the outer team", async () => {
  const run = nested();

  const result = await run.team.run("Look into it");

  assert.deepEqual(run.said(), ["user: Look into it", "chief: chief", "research: bob"]);
  assert.deepEqual(innerThread(run), ["user: Look into it", "chief: chief", "ann: ann", "bob: bob"]);
  assert.equal(result.status.code, "success");
  assert.deepEqual(run.folded(), run.team.state);
});

test("events of a nested team have the path to it, in one order with all others", async () => {
  const run = nested();

  await run.team.run("Look into it");

  const within = run.events.filter(({ path }) => path !== undefined);
  assert.ok(within.every(({ path }) => path?.join("/") === "research"));
  assert.deepEqual(
    within.flatMap((event) => (event.type === "message/added" ? [event.message.source] : [])),
    ["user", "chief", "ann", "bob"],
  );
  const seqs = run.events.flatMap((event) => ("seq" in event ? [event.seq] : []));
  assert.deepEqual(
    seqs,
    seqs.map((_, at) => at + 1),
  );
});

test("in its second turn it gets the messages since its answer, and keeps its own thread", async () => {
  const run = nested();
  await run.team.run("Look into it");

  await run.team.run("And again");

  assert.deepEqual(innerThread(run).slice(4), ["user: And again", "chief: chief", "ann: ann", "bob: bob"]);
});

test("a team within a team within a team", async () => {
  const run = testTeam({
    speakers: names("ann"),
    participants: [
      {
        name: "outer",
        kind: "team",
        team: {
          name: "Outer",
          kind: "roundRobin",
          participants: [
            {
              name: "inner",
              kind: "team",
              team: { name: "Inner", kind: "roundRobin", participants: [{ name: "ann" }], maxTurns: 1 },
            },
          ],
          maxTurns: 1,
        },
      },
    ],
    maxTurns: 1,
  });

  await run.team.run("Go");

  assert.deepEqual(run.said(), ["user: Go", "outer: ann"]);
  assert.ok(run.events.some(({ path }) => path?.join("/") === "outer/inner"));
  assert.deepEqual(run.folded(), run.team.state);
});

test("an interrupt of the outer team stops the inner speaker in mid-stream, and keeps what the nested team has said", async () => {
  const model = new ScriptedModel([...say("half "), { type: "wait", until: new Promise(() => {}) }], say("and whole"));
  const run = nested({ speakers: { ...names("chief", "bob"), ann: model } }, withModel("ann"));
  const chunk = run.next("message/chunk");
  const running = run.team.run("Look into it");
  await chunk;

  const receipt = await run.team.interrupt();
  const result = await running;

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(
    receipt.partials.map(({ source, content }) => `${source}: ${content}`),
    ["ann: half "],
  );
  assert.deepEqual(innerThread(run).slice(2), ["ann: half …"]);
  assert.deepEqual(run.said(), ["user: Look into it", "chief: chief"]);
  assert.equal(run.team.state.inner?.["research"]?.interrupted, true);

  const after = await run.team.run();

  assert.equal(after.status.code, "success");
  assert.deepEqual(innerThread(run).slice(2), ["ann: half …", "ann: and whole", "bob: bob"]);
  assert.deepEqual(run.said(), ["user: Look into it", "chief: chief", "research: bob"]);
});

test("a pending call of a nested team is visible at the root with its path, survives a restart, and is answered from the root", async () => {
  const tool = testTool("deploy", () => "deployed", { approval: "ask" });
  const model = new ScriptedModel(ask(call("c1", "deploy")), say("It is out."));
  const options = { speakers: { ...names("chief", "bob"), ann: model }, tools: [tool] };
  const run = nested(options, withModel("ann", ["deploy"]));

  const result = await run.team.run("Ship it");

  assert.equal(result.stopReason, "TOOL_INTERRUPT");
  assert.equal(run.team.state.status, "awaitingTools");
  assert.deepEqual(
    run.withIds(run.team.state.pendingTools.map(({ ref, participant, path }) => ({ ref, participant, path }))),
    [{ ref: "c1", participant: "ann", path: ["research"] }],
  );

  const again = run.reopened();
  const { remaining, result: ended } = await again.team.resolveTools({ restart: [{ ref: run.ref("c1") }] });

  assert.deepEqual(remaining, []);
  assert.equal(ended?.status.code, "success");
  assert.deepEqual(again.said(), ["user: Ship it", "chief: chief", "research: bob"]);
  assert.deepEqual(innerThread(again).slice(2), ["ann: It is out.", "bob: bob"]);
  assert.deepEqual(again.team.state.pendingTools, []);
});

test("an interrupt while a restarted tool of a nested team runs: the call has one result, and the team continues", async () => {
  const never = new Promise<string>(() => {});
  const tool = testTool("deploy", (_, { signal }) => Promise.race([never, until(signal)]), { approval: "ask" });
  const model = new ScriptedModel(ask(call("c1", "deploy")), say("I see."));
  const run = nested(
    { speakers: { ...names("chief", "bob"), ann: model }, tools: [tool] },
    withModel("ann", ["deploy"]),
  );
  await run.team.run("Ship it");
  const started = run.next("tool/started");
  const answering = run.team.resolveTools({ restart: [{ ref: run.ref("c1") }] });
  await started;

  await run.team.interrupt();
  await answering;
  const after = await run.team.run();

  assert.equal(after.status.code, "success");
  assert.equal(run.events.filter((event) => event.type === "tool/executed" && event.ref === run.ref("c1")).length, 1);
  assert.deepEqual(run.said().at(-1), "research: bob");
});

test("usage of a nested team counts for the run and the outer team", async () => {
  const usage = { prompt: 5, completion: 2, total: 7, cost: 0.5 };
  const model = new ScriptedModel([...say("Done"), spend(usage)]);
  const run = nested({ speakers: { ...names("chief", "bob"), ann: model } }, withModel("ann"));

  const result = await run.team.run("Look into it");

  assert.deepEqual(result.usage, usage);
  assert.deepEqual(run.team.state.usage, usage);
  assert.deepEqual(run.team.state.inner?.["research"]?.usage, usage);
  const spent = run.team.state.participants.map((participant) => participant.usage);
  assert.deepEqual(spent, [undefined, usage]);
  const other = nested();
  other.team.load(run.team.save());
  assert.deepEqual(other.team.state.participants[1]?.usage, usage);
  assert.deepEqual(other.team.save(), run.team.save());
});

test("save, load and save are equal, including nested teams", async () => {
  const run = nested();
  await run.team.run("Look into it");
  const saved = run.team.save();

  const other = nested();
  other.team.load(saved);

  assert.deepEqual(other.team.save(), saved);
  assert.deepEqual(innerThread(other), innerThread(run));
  await other.team.run("And again");
  assert.deepEqual(innerThread(other).slice(4), ["user: And again", "chief: chief", "ann: ann", "bob: bob"]);
});

test("a reset empties nested teams", async () => {
  const run = nested();
  await run.team.run("Look into it");

  run.team.reset();

  assert.deepEqual(innerThread(run), []);
  await run.team.run("Again");
  assert.deepEqual(innerThread(run), ["user: Again", "chief: chief", "ann: ann", "bob: bob"]);
});

test("a failure in a nested team ends the run with its message, and the team can run again", async () => {
  let fails = true;
  const ann = (): string => {
    if (fails) throw new Error("Ann is out.");
    return "ann";
  };
  const run = nested({ speakers: { ...names("chief", "bob"), ann } });

  const result = await run.team.run("Look into it");
  fails = false;
  const after = await run.team.run();

  assert.deepEqual([result.status.code, result.status.message], ["error", "Ann is out."]);
  assert.equal(after.status.code, "success");
  assert.deepEqual(run.said().at(-1), "research: bob");
});

test("the host dies while a nested participant speaks: the partial is kept, and the team continues", async () => {
  const model = new ScriptedModel([...say("half "), { type: "wait", until: new Promise(() => {}) }]);
  const run = nested({ speakers: { ...names("chief", "bob"), ann: model } }, withModel("ann"));
  const chunk = run.next("message/chunk");
  void run.team.run("Look into it");
  await chunk;

  const again = run.reopened({ speakers: { ...names("chief", "bob"), ann: new ScriptedModel(say("whole")) } });
  again.team.recover();

  assert.deepEqual(innerThread(again).slice(2), ["ann: half …"]);
  assert.equal(again.team.state.interrupted, true);
  await again.team.run();
  assert.deepEqual(innerThread(again).slice(2), ["ann: half …", "ann: whole", "bob: bob"]);
});

test("interrupted at every event and continued, it produces the same conversation", async () => {
  const whole = nested();
  await whole.team.run("Look into it");
  const count = whole.events.length;

  for (let at = 1; at <= count; at++) {
    const run = nested();
    let seen = 0;
    const interrupted = new Promise<void>((resolve) => {
      const unlisten = run.team.onEvent(() => {
        if (++seen !== at) return;
        unlisten();
        void run.team.interrupt().then(() => resolve());
      });
    });
    const first = await run.team.run("Look into it");
    await interrupted;
    if (first.status.code === "interrupted") await run.team.run();
    assert.deepEqual(run.said(), whole.said(), `interrupted at event ${at}`);
    assert.deepEqual(innerThread(run), innerThread(whole), `interrupted at event ${at}`);
    assert.deepEqual(folded(run), run.team.state, `interrupted at event ${at}`);
  }
});

test("society of mind: the participant's own model summarizes the inner conversation as one answer, and the conversation is discarded", async () => {
  const voice = new ScriptedModel(say("In ", "short: yes."));
  const run = nested(
    { speakers: { ...names("chief", "ann", "bob"), voice } },
    { kind: "societyOfMind", model: "voice" },
  );

  await run.team.run("Look into it");

  assert.deepEqual(run.said(), ["user: Look into it", "chief: chief", "research: In short: yes."]);
  const shown = voice.lastItems.map((item) => ("content" in item ? item.content : ""));
  assert.deepEqual(shown.slice(0, 4), ["Look into it", "chief", "ann", "bob"]);
  assert.deepEqual(innerThread(run), []);
});

test("society of mind interrupted during the summary: the partial is kept, and the inner conversation is not repeated", async () => {
  const voice = new ScriptedModel([...say("In "), { type: "wait", until: new Promise(() => {}) }], say("short: yes."));
  const run = nested(
    { speakers: { ...names("chief", "ann", "bob"), voice } },
    { kind: "societyOfMind", model: "voice" },
  );
  const chunk = run.next("message/chunk");
  const running = run.team.run("Look into it");
  await chunk;
  await run.team.interrupt();
  await running;

  await run.team.run();

  assert.deepEqual(run.said().slice(2), ["research: In …", "research: short: yes."]);
  assert.equal(
    run.events.filter((event) => event.type === "message/added" && event.message.source === "ann").length,
    1,
  );
});

function withModel(name: string, tools: string[] = []): Partial<ParticipantDefinition> {
  return {
    team: {
      name: "Research",
      kind: "roundRobin",
      participants: [{ name, model: name, tools }, { name: "bob" }],
      maxTurns: 2,
    },
  };
}

const folded = ({ events, definition }: TestTeam) =>
  events.reduce((state, event: TeamEvent) => reduceTeam(state, event), initialTeamState(TEAM_ID, definition));

const until = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
