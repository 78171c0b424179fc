import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { Model } from "../model.ts";
import type { ReplyFunction } from "../participants/function-participant.ts";
import { AnsweringModel, textOfRequest } from "../testing/answering-model.ts";
import { MemoryJournal } from "../testing/memory-journal.ts";
import { TEAM_ID, type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";

/** The participant streams the number of its message; partials do not count. */
const counting =
  (name: string): ReplyFunction =>
  (thread) =>
    pieces([name, " says ", String(wholeOf(thread, name).length + 1)]);

const wholeOf = (thread: readonly ChatMessage[], name: string): ChatMessage[] =>
  thread.filter(({ source, partial }) => source === name && !partial);

async function* pieces(texts: readonly string[]): AsyncGenerator<string, void, undefined> {
  for (const text of texts) {
    await undefined;
    yield text;
  }
}

/** Hands off in every second turn. */
const handingOff =
  (name: string, target: string): ReplyFunction =>
  (thread, signal) => {
    const said = wholeOf(thread, name).length + 1;
    if (said % 2 === 1) return counting(name)(thread, signal);
    return { type: "HandoffMessage", content: `${name} hands over`, metadata: { target } };
  };

interface Scenario {
  readonly options: TestTeamOptions;
  readonly chief: AnsweringModel;
  /** How its run ends. */
  readonly end: RegExp;
}

const members = ["ann", "bob", "cid"].map((name) => ({ name, description: `Is ${name}.` }));
const threeOf = (chief: Model): TestTeamOptions["speakers"] => ({
  ann: counting("ann"),
  bob: counting("bob"),
  cid: counting("cid"),
  chief,
});

/** Its model selects ann, cid, bob and ann again; where cid is next, its first answer is ambiguous. */
function selectorScenario(): Scenario {
  const chief = new AnsweringModel((request) => {
    const lines = textOfRequest({ ...request, items: request.items.slice(0, 1) }).split("\n");
    const last = lines.findLast((line) => /^\w+: .* says \d$/.test(line)) ?? "";
    const next = last.startsWith("ann") ? "cid" : last.startsWith("cid") ? "bob" : "ann";
    return request.items.length === 1 && next === "cid" ? "cid or bob" : `It is ${next} .`;
  });
  const options: TestTeamOptions = {
    kind: "selector",
    participants: members,
    speakers: threeOf(chief),
    selector: { model: "chief" },
    maxTurns: 5,
    graceMs: 1,
  };
  return { options, chief, end: /^Maximum number of turns 5/ };
}

function swarmScenario(): Scenario {
  const speakers = { ann: handingOff("ann", "cid"), bob: handingOff("bob", "ann"), cid: handingOff("cid", "bob") };
  const options: TestTeamOptions = { kind: "swarm", speakers, maxTurns: 8, graceMs: 1 };
  return { options, chief: new AnsweringModel(() => ""), end: /^Maximum number of turns 8/ };
}

const progressLedger = (satisfied: boolean, progress: boolean, next: string): string =>
  JSON.stringify({
    is_request_satisfied: { reason: "All have spoken.", answer: satisfied },
    is_in_loop: { reason: "", answer: false },
    is_progress_being_made: { reason: "", answer: progress },
    next_speaker: { reason: "", answer: next },
    instruction_or_question: { reason: "", answer: "Say what you know." },
  });

/** With the first plan, ann and bob make no progress; with the second one, after an invalid ledger, cid does. */
function progressLedgerFor(text: string, isFirstTry: boolean): string {
  if (text.includes("cid: cid says")) return progressLedger(true, true, "cid");
  if (text.includes("LEARNT")) return isFirstTry ? "Well then." : progressLedger(false, true, "cid");
  return progressLedger(false, false, text.includes("ann: ann says") ? "bob" : "ann");
}

function magenticScenario(): Scenario {
  const chief = new AnsweringModel((request) => {
    const text = textOfRequest(request);
    if (request.output !== undefined) return progressLedgerFor(text, request.items.length === 1);
    if (text.includes("The team is not making progress")) return "LEARNT, and more";
    if (text.includes("these four lists")) return "FACTS of the case";
    return text.includes("Write the final answer") ? "The answer is four." : "A PLAN";
  });
  const options: TestTeamOptions = {
    kind: "magentic",
    participants: members,
    speakers: threeOf(chief),
    magentic: { model: "chief" },
    graceMs: 1,
  };
  return { options, chief, end: /^All have spoken\.$/ };
}

const scenarios = { selector: selectorScenario, swarm: swarmScenario, magentic: magenticScenario };

const whole = (said: readonly string[]): string[] => said.filter((line) => !line.endsWith("…"));

/** Continues the run until it ends. */
async function runToEnd({ team }: TestTeam, { end }: Scenario, where: string): Promise<void> {
  for (let runs = 0; runs < 3; runs++) {
    const { status, stopReason } = await team.run();
    assert.equal(status.message, undefined, where);
    if (status.code !== "success") continue;
    assert.match(stopReason ?? "", end, where);
    return;
  }
  assert.fail(`${where}: the run does not end`);
}

for (const [kind, make] of Object.entries(scenarios)) {
  test(`${kind}: interrupted at any event and resumed, the thread is that of a run without an interrupt, except for partials`, async () => {
    const uninterrupted = make();
    const reference = testTeam(uninterrupted.options);
    const result = await reference.team.run("t");
    assert.match(result.stopReason ?? "", uninterrupted.end);
    assert.ok(reference.events.length > 30);

    for (let index = 0; index < reference.events.length; index++) {
      const scenario = make();
      const fixture = testTeam(scenario.options);
      const where = `event ${index}, ${reference.events[index]?.type}`;
      let atAcknowledgement: number | undefined;
      const interrupting = Promise.withResolvers<void>();
      fixture.team.onEvent(({ type }) => {
        if (type === "interrupt/acknowledged") atAcknowledgement = scenario.chief.requests.length;
        if (fixture.events.length === index + 1)
          fixture.team.interrupt().then(() => interrupting.resolve(), interrupting.reject);
      });

      const { status } = await fixture.team.run("t");
      await interrupting.promise;
      assert.equal(scenario.chief.requests.length, atAcknowledgement, `${where}: no model is asked after it`);
      if (status.code !== "success") await runToEnd(fixture, scenario, where);

      assert.deepEqual(whole(fixture.said()), reference.said(), where);
      assert.deepEqual(fixture.team.state, fixture.folded(), where);
    }
  });
}

/** True for an event of the orchestrator, not of a participant. */
const isOfOrchestrator = (event: DurableEvent): boolean =>
  event.type === "manager/noted" ||
  event.type === "model/asked" ||
  event.type === "speaker/selected" ||
  (event.type === "message/added" && event.message.source === "orchestrator") ||
  (event.type === "message/started" && event.source === "orchestrator");

test("magentic: when the host dies between two steps, no stored step is repeated", async () => {
  const uninterrupted = magenticScenario();
  const reference = testTeam(uninterrupted.options);
  await reference.team.run("t");
  const { kept } = reference.journal;
  const steps = uninterrupted.chief.requests.length;

  let restarts = 0;
  for (const [at, event] of kept.entries()) {
    if (!("seq" in event) || !isOfOrchestrator(event)) continue;
    restarts++;
    const scenario = magenticScenario();
    const journal = new MemoryJournal();
    journal.kept.push(...structuredClone(kept.slice(0, at + 1)));
    const fixture = testTeam({ ...scenario.options, journal, stored: journal.stored(TEAM_ID, reference.definition) });
    const where = `after ${at}, ${event.type}`;
    fixture.team.recover();
    await runToEnd(fixture, scenario, where);

    assert.deepEqual(whole(fixture.said()), reference.said(), where);
    const done = kept.slice(0, at + 1).filter(({ type }) => type === "model/asked").length;
    // An answer is lost when the host dies before its note; a final answer that was interrupted is requested again.
    const lost = event.type === "model/asked" ? 1 : 0;
    assert.equal(scenario.chief.requests.length, steps - done + lost, where);
  }
  assert.ok(restarts > 20);
});

test("a speaker that a model has selected is asked again after an interrupt, without the model", async () => {
  for (const make of [selectorScenario, magenticScenario]) {
    const scenario = make();
    const { team, next } = testTeam(scenario.options);
    const interrupted = next("message/chunk", 4).then(() => team.interrupt());
    await team.run("t");
    const receipt = await interrupted;
    assert.equal(receipt.partials.length, 1);
    const before = scenario.chief.requests.length;
    const [speaker] = team.state.selected.participants;
    const again = next("speaker/selected");
    const resumed = team.run();
    const selected = await again;
    assert.deepEqual("participants" in selected && selected.participants, [speaker]);
    assert.equal(scenario.chief.requests.length, before);
    await resumed;
  }
});

test("a selector or an orchestrator without a model says so", async () => {
  for (const kind of ["selector", "magentic"] as const) {
    const { team } = testTeam({ kind, speakers: { ann: counting("ann"), bob: counting("bob") } });
    const { status } = await team.run("t");
    assert.equal(status.code, "error");
    assert.match(status.message ?? "", new RegExp(`The ${kind} has no model`));
  }
});

test("a handoff to someone outside the team ends the run with its condition, and without one with an error that says what to fix", async () => {
  const speakers = { ann: handingOff("ann", "dora"), bob: counting("bob") };
  const stopped = testTeam({ kind: "swarm", speakers, termination: { handoff: { target: "dora" } } });
  const result = await stopped.team.run("t");
  assert.equal(result.stopReason, "Handoff to dora from ann detected.");

  const failing = testTeam({ kind: "swarm", speakers });
  const { status } = await failing.team.run("t");
  assert.deepEqual([status.code, status.reason], ["error", "UnknownParticipant"]);
  assert.match(status.message ?? "", /is not a participant of the team/);
});
