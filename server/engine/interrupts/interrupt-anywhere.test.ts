import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { microtasks } from "../testing/microtasks.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { type TestTeam, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** Two assistants who speak and use tools until there are ten messages. */
function recordedTeam() {
  const look = testTool("look", async (input) => {
    await microtasks(3);
    return input;
  });
  const fail = testTool("fail", async () => {
    await microtasks(1);
    throw new Error("no such thing");
  });
  const tools = [look, fail];
  const model = (name: string): ScriptedModel =>
    new ScriptedModel(
      [...say("Let me ", "see."), ...ask(call(`${name}1`, "look", 1), call(`${name}2`, "fail"))],
      say(name, " has ", "seen."),
      ask(call(`${name}3`, "look", 3)),
      [...say("Look ", "here: "), ...say("all ", "well.")],
      say("Fine."),
    );
  const models = { ann: model("ann"), bob: model("bob") };
  const fixture = testTeam({ speakers: models, tools, termination: { maxMessages: 5 }, graceMs: 1 });
  return { fixture, tools, requests: () => [...models.ann.requests, ...models.bob.requests], models };
}

type Recorded = ReturnType<typeof recordedTeam>;

const toolRuns = ({ tools }: Recorded): number => tools.reduce((sum, { runs }) => sum + runs.length, 0);

/** Each requested call has exactly one result. */
function assertOneResultEach({ events }: TestTeam, where: string): void {
  const asked = events.flatMap((event) => (event.type === "tool/requested" ? event.calls.map(({ ref }) => ref) : []));
  const given = events.flatMap((event) => (event.type === "tool/executed" ? [event.ref] : []));
  assert.deepEqual([...given].sort(), [...asked].sort(), where);
}

const WHILE_ENDING: ReadonlySet<TeamEvent["type"]> = new Set([
  "interrupt/acknowledged",
  "interrupt/completed",
  "message/added",
  "reasoning/conclusion",
  "run/ended",
  "tool/abandoned",
  "tool/executed",
]);

/** Interrupts a run at one place, resumes it, and checks what must hold wherever that place is. */
async function interruptAndResume(recorded: Recorded, where: string, place: (interrupt: () => void) => void) {
  const { fixture, requests } = recorded;
  let atAcknowledgement: { readonly requests: number; readonly runs: number; readonly events: number } | undefined;
  fixture.team.onEvent(({ type }) => {
    if (type === "interrupt/acknowledged") {
      atAcknowledgement = { requests: requests().length, runs: toolRuns(recorded), events: fixture.events.length };
    }
  });
  const interrupted = Promise.withResolvers<void>();
  place(() => fixture.team.interrupt().then(() => interrupted.resolve(), interrupted.reject));

  const result = await fixture.team.run("t");
  await interrupted.promise;

  assert.ok(result.status.code === "interrupted" || result.status.code === "success", where);
  assert.deepEqual(
    { requests: requests().length, runs: toolRuns(recorded) },
    { requests: atAcknowledgement?.requests, runs: atAcknowledgement?.runs },
    `${where}: no model request and no tool after the acknowledgement`,
  );
  const after = fixture.events.slice(atAcknowledgement?.events).map(({ type }) => type);
  assert.deepEqual(
    after.filter((type) => !WHILE_ENDING.has(type)),
    [],
    where,
  );
  assert.deepEqual(fixture.team.state, fixture.folded(), `${where}: the state is the fold of the events`);
  assert.deepEqual(
    [fixture.team.state.run, fixture.team.state.openTurns, fixture.team.state.streaming],
    [null, [], []],
    where,
  );
  assertOneResultEach(fixture, where);

  // If the fifth message is a partial, its speaker continues first: the condition is checked when the turn ends.
  const length = fixture.team.state.threadLength === 5 && fixture.team.state.thread.at(-1)?.partial ? 6 : 5;
  const resumed = result.status.code === "success" ? result : await fixture.team.run();
  assert.match(
    resumed.stopReason ?? "",
    /^Maximum number of messages 5 reached/,
    `${where}: ${JSON.stringify(resumed)}`,
  );
  assert.equal(fixture.team.state.threadLength, length, where);
  assertOneResultEach(fixture, where);
  for (const { items } of requests()) assert.equal(conversationProblem(items), undefined, where);
  const count = (wanted: TeamEvent["type"]): number => fixture.types().filter((type) => type === wanted).length;
  assert.equal(count("run/started"), count("run/ended"), where);
  assert.deepEqual(fixture.team.state, fixture.folded(), where);
}

test("interrupted at any event of a run with tools: nothing starts after it, each call has one result, and resuming reaches the end", async () => {
  const whole = recordedTeam();
  await whole.fixture.team.run("t");
  const count = whole.fixture.events.length;
  assert.ok(count > 50);

  for (let index = 0; index < count; index++) {
    const recorded = recordedTeam();
    const { team, events } = recorded.fixture;
    await interruptAndResume(recorded, `event ${index}, ${whole.fixture.events[index]?.type}`, (interrupt) => {
      const unlisten = team.onEvent(() => {
        if (events.length !== index + 1) return;
        unlisten();
        interrupt();
      });
    });
  }
});

test("the same holds when interrupted at any moment between the events", async () => {
  for (let step = 0; step < 25; step++) {
    for (const type of ["reasoning/conclusion", "tool/executed", "tool/requested", "speaker/selected"] as const) {
      for (const nth of [1, 4]) {
        const recorded = recordedTeam();
        const { next } = recorded.fixture;
        await interruptAndResume(recorded, `${step} steps after ${type} ${nth}`, (interrupt) => {
          next(type, nth)
            .then(() => microtasks(step))
            .then(interrupt)
            .catch(assert.fail);
        });
      }
    }
  }
});
