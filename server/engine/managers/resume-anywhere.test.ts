import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { Model } from "../model.ts";
import type { ReplyFunction } from "../participants/function-participant.ts";
import { AnsweringModel, textOfRequest } from "../testing/answering-model.ts";
import { MemoryJournal } from "../testing/memory-journal.ts";
import { TEAM_ID, type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";

/** The participant that speaks says which of its messages this is, in pieces; partials do not count. */
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

/** Hands the context on at each second message. */
const handing =
  (name: string, target: string): ReplyFunction =>
  (thread, signal) => {
    const said = wholeOf(thread, name).length + 1;
    if (said % 2 === 1) return counting(name)(thread, signal);
    return { type: "HandoffMessage", content: `${name} hands over`, metadata: { target } };
  };

interface Play {
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

/** Its model is unclear at first, and then chooses by what was said: ann, cid, bob, and from the beginning. */
function selectorPlay(): Play {
  const chief = new AnsweringModel((request) => {
    const talk = textOfRequest({ ...request, items: request.items.slice(0, 1) }).split("\n");
    const last = talk.findLast((line) => /^\w+: .* says \d$/.test(line)) ?? "";
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

function swarmPlay(): Play {
  const speakers = { ann: handing("ann", "cid"), bob: handing("bob", "ann"), cid: handing("cid", "bob") };
  const options: TestTeamOptions = { kind: "swarm", speakers, maxTurns: 8, graceMs: 1 };
  return { options, chief: new AnsweringModel(() => ""), end: /^Maximum number of turns 8/ };
}

const judgement = (satisfied: boolean, progress: boolean, next: string): string =>
  JSON.stringify({
    is_request_satisfied: { reason: "All have spoken.", answer: satisfied },
    is_in_loop: { reason: "", answer: false },
    is_progress_being_made: { reason: "", answer: progress },
    next_speaker: { reason: "", answer: next },
    instruction_or_question: { reason: "", answer: "Say what you know." },
  });

/** With the first plan ann and bob get nowhere, with the second one cid does, after a ledger in rubbish. */
function judgementOn(text: string, isFirstTry: boolean): string {
  if (text.includes("cid: cid says")) return judgement(true, true, "cid");
  if (text.includes("LEARNT")) return isFirstTry ? "Well then." : judgement(false, true, "cid");
  return judgement(false, false, text.includes("ann: ann says") ? "bob" : "ann");
}

function magenticPlay(): Play {
  const chief = new AnsweringModel((request) => {
    const text = textOfRequest(request);
    if (request.output !== undefined) return judgementOn(text, request.items.length === 1);
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

const plays = { selector: selectorPlay, swarm: swarmPlay, magentic: magenticPlay };

const whole = (said: readonly string[]): string[] => said.filter((line) => !line.endsWith("…"));

/** Goes on until the play's end. */
async function goOn({ team }: TestTeam, { end }: Play, where: string): Promise<void> {
  for (let runs = 0; runs < 3; runs++) {
    const { status, stopReason } = await team.run();
    assert.equal(status.message, undefined, where);
    if (status.code !== "success") continue;
    assert.match(stopReason ?? "", end, where);
    return;
  }
  assert.fail(`${where}: it came to no end`);
}

for (const [kind, begin] of Object.entries(plays)) {
  test(`${kind}: interrupted at any event and resumed, the thread is that of a run without an interrupt, except for partials`, async () => {
    const undisturbed = begin();
    const reference = testTeam(undisturbed.options);
    const result = await reference.team.run("t");
    assert.match(result.stopReason ?? "", undisturbed.end);
    assert.ok(reference.events.length > 30);

    for (let index = 0; index < reference.events.length; index++) {
      const play = begin();
      const fixture = testTeam(play.options);
      const where = `event ${index}, ${reference.events[index]?.type}`;
      let atAcknowledgement: number | undefined;
      const interrupting = Promise.withResolvers<void>();
      fixture.team.onEvent(({ type }) => {
        if (type === "interrupt/acknowledged") atAcknowledgement = play.chief.requests.length;
        if (fixture.events.length === index + 1)
          fixture.team.interrupt().then(() => interrupting.resolve(), interrupting.reject);
      });

      const { status } = await fixture.team.run("t");
      await interrupting.promise;
      assert.equal(play.chief.requests.length, atAcknowledgement, `${where}: no model is asked after it`);
      if (status.code !== "success") await goOn(fixture, play, where);

      assert.deepEqual(whole(fixture.said()), reference.said(), where);
      assert.deepEqual(fixture.team.state, fixture.folded(), where);
    }
  });
}

/** Where the magentic orchestrator itself is at work, and not a participant. */
const isOrchestrators = (event: DurableEvent): boolean =>
  event.type === "manager/noted" ||
  event.type === "model/asked" ||
  event.type === "speaker/selected" ||
  (event.type === "message/added" && event.message.source === "orchestrator") ||
  (event.type === "message/started" && event.source === "orchestrator");

test("magentic: when the host dies between two steps, no stored step is repeated", async () => {
  const undisturbed = magenticPlay();
  const reference = testTeam(undisturbed.options);
  await reference.team.run("t");
  const { kept } = reference.journal;
  const steps = undisturbed.chief.requests.length;

  let cuts = 0;
  for (const [at, event] of kept.entries()) {
    if (!("seq" in event) || !isOrchestrators(event)) continue;
    cuts++;
    const play = magenticPlay();
    const journal = new MemoryJournal();
    journal.kept.push(...structuredClone(kept.slice(0, at + 1)));
    const fixture = testTeam({ ...play.options, journal, stored: journal.stored(TEAM_ID, reference.definition) });
    const where = `after ${at}, ${event.type}`;
    fixture.team.recover();
    await goOn(fixture, play, where);

    assert.deepEqual(whole(fixture.said()), reference.said(), where);
    const done = kept.slice(0, at + 1).filter(({ type }) => type === "model/asked").length;
    // An answer is lost when the host dies before its note; a final answer whose chunks had begun is asked for again.
    const lost = event.type === "model/asked" ? 1 : 0;
    assert.equal(play.chief.requests.length, steps - done + lost, where);
  }
  assert.ok(cuts > 20);
});

test("a speaker that a model has selected is asked again after an interrupt, without the model", async () => {
  for (const begin of [selectorPlay, magenticPlay]) {
    const play = begin();
    const { team, next } = testTeam(play.options);
    const interrupted = next("message/chunk", 4).then(() => team.interrupt());
    await team.run("t");
    const receipt = await interrupted;
    assert.equal(receipt.partials.length, 1);
    const before = play.chief.requests.length;
    const [speaker] = team.state.selected.participants;
    const again = next("speaker/selected");
    const resumed = team.run();
    const selected = await again;
    assert.deepEqual("participants" in selected && selected.participants, [speaker]);
    assert.equal(play.chief.requests.length, before);
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
  const speakers = { ann: handing("ann", "dora"), bob: counting("bob") };
  const stopped = testTeam({ kind: "swarm", speakers, termination: { handoff: { target: "dora" } } });
  const result = await stopped.team.run("t");
  assert.equal(result.stopReason, "Handoff to dora from ann detected.");

  const failing = testTeam({ kind: "swarm", speakers });
  const { status } = await failing.team.run("t");
  assert.deepEqual([status.code, status.reason], ["error", "UnknownParticipant"]);
  assert.match(status.message ?? "", /is not a participant of the team/);
});
