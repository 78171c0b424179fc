import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamDefinition } from "../../../../shared/contract/definition.ts";
import type { Model } from "../../model.ts";
import { AnsweringModel, textOfRequest } from "../../testing/answering-model.ts";
import { ScriptedModel, say } from "../../testing/scripted-model.ts";
import { TestSelectionContext } from "../../testing/selection-context.ts";
import { magenticManager } from "./magentic-manager.ts";

type Given = { readonly names?: readonly string[]; readonly magentic?: TeamDefinition["magentic"] };

function teamOf(model: Model, { names = ["ann", "bob"], magentic }: Given = {}) {
  const definition: TeamDefinition = {
    name: "Test",
    kind: "magentic",
    participants: names.map((name) => ({ name, description: `Is ${name}.` })),
    ...(magentic === undefined ? {} : { magentic }),
  };
  return {
    manager: magenticManager({ definition, model: () => model }),
    context: new TestSelectionContext(definition),
  };
}

/** A magentic team whose orchestrator's model gives these answers. */
function scripted(answers: readonly string[], given: Given = {}) {
  const model = new ScriptedModel(...answers.map((answer) => say(answer)));
  return { model, ...teamOf(model, given) };
}

interface Judgement {
  readonly done?: string;
  readonly loop?: boolean;
  readonly progress?: boolean;
  readonly next?: string;
  readonly tell?: string;
}

const ledger = ({ done, loop = false, progress = true, next = "ann", tell = "Go." }: Judgement): string =>
  JSON.stringify({
    is_request_satisfied: { reason: done ?? "not yet", answer: done !== undefined },
    is_in_loop: { reason: "", answer: loop },
    is_progress_being_made: { reason: "", answer: progress },
    next_speaker: { reason: "", answer: next },
    instruction_or_question: { reason: "", answer: tell },
  });

const stuck = ledger({ progress: false });

const asked = (model: ScriptedModel, at: number): string => textOfRequest(model.requests[at] ?? assert.fail());

/** The thread without the facts and plans. */
const threadOf = (context: TestSelectionContext): string[] => context.said.filter((line) => !line.includes("##"));

const isPlan = (line: string): boolean => line.includes("## ");

test("it collects facts, plans, announces the plan, directs each turn, and answers the user", async () => {
  const { model, manager, context } = scripted([
    "FACTS",
    "PLAN",
    ledger({ next: "bob", tell: "Look up the weather." }),
    ledger({ next: "ann", tell: "ann, sum it up." }),
    ledger({ done: "Both have spoken." }),
    "It rains.",
  ]);
  assert.deepEqual(await context.user("What is the weather?").select(manager), ["bob"]);
  assert.deepEqual(await context.turn("bob", "Rain.").select(manager), ["ann"]);
  assert.equal(await context.turn("ann", "It rains, says bob.").select(manager), "Both have spoken.");

  assert.deepEqual(threadOf(context), [
    "user: What is the weather?",
    "orchestrator: bob: Look up the weather.",
    "bob: Rain.",
    "orchestrator: ann, sum it up.",
    "ann: It rains, says bob.",
    "orchestrator: It rains.",
  ]);
  const told = context.said[1] ?? "";
  for (const part of ["What is the weather?", "ann: Is ann.\nbob: Is bob.", "FACTS", "PLAN"]) {
    assert.ok(told.includes(part), part);
    assert.ok(asked(model, 2).includes(part), part);
  }
  assert.ok(asked(model, 1).includes("FACTS"));
  assert.match(asked(model, 4), /bob: Rain\.\norchestrator: ann, sum it up\.\nann: It rains, says bob\./);
  assert.equal(model.requests.length, 6);
});

test("the progress ledger is requested as JSON with a schema", async () => {
  const { model, manager, context } = scripted(["F", "P", ledger({})]);
  await context.user("t").select(manager);
  assert.equal(model.requests[1]?.output, undefined);
  const output = model.requests[2]?.output;
  assert.equal(output?.name, "progress_ledger");
  assert.match(JSON.stringify(output?.schema), /"next_speaker":.*"enum":\["ann","bob"\]/);
});

test("the orchestrator has another name when a participant has its name", async () => {
  const { manager, context } = scripted(
    ["F", "P", ledger({ next: "orchestrator", tell: "Go." }), ledger({ done: "d" }), "A"],
    {
      names: ["orchestrator", "bob"],
    },
  );
  assert.deepEqual(await context.user("t").select(manager), ["orchestrator"]);
  assert.equal(await context.turn("orchestrator", "I went.").select(manager), "d");
  assert.deepEqual(
    context.messages.map(({ source }) => source),
    ["user", "orchestrator_", "orchestrator_", "orchestrator", "orchestrator_"],
  );
});

test("the second of two allowed stalls leads to new facts and a new plan, which is announced, and the count starts over", async () => {
  const { model, manager, context } = scripted(
    ["FACTS", "PLAN", stuck, ledger({ loop: true }), "LEARNT", "REPLAN", stuck, ledger({ done: "d" }), "A"],
    { magentic: { maxStalls: 2 } },
  );
  assert.deepEqual(await context.user("t").select(manager), ["ann"]);
  assert.deepEqual(await context.turn("ann", "I found no key.").select(manager), ["ann"]);
  assert.equal(await context.turn("ann", "Now I have it.").select(manager), "d");

  const plans = context.said.filter(isPlan);
  assert.equal(plans.length, 2);
  assert.match(plans[1] ?? "", /new plan.*LEARNT.*REPLAN/s);
  assert.match(asked(model, 4), /FACTS.*I found no key\./s);
  assert.match(asked(model, 5), /LEARNT.*PLAN.*I found no key\./s);
  assert.doesNotMatch(asked(model, 6), /I found no key/, "the messages about the old plan are left out");
  assert.equal(model.requests.length, 9);
});

test("a plan that an earlier version announced before a restart is not announced again", async () => {
  const { manager, context } = scripted([ledger({ next: "bob", tell: "Go." })]);
  context.user("t").saveNote({
    ...{ task: "t", facts: "F", plan: "P", stalls: 0, since: 0, heard: 1 },
    step: { at: "tell", thread: 1, isFirst: true },
  });
  context.addMessage("orchestrator", "We begin to work on this request.");
  assert.deepEqual(await context.select(manager), ["bob"]);
  assert.deepEqual(context.said, [
    "user: t",
    "orchestrator: We begin to work on this request.",
    "orchestrator: bob: Go.",
  ]);
});

for (const [what, step] of [
  ["before its instruction is given", { at: "instruct", speaker: "gone", instruction: "Go.", thread: 1 }],
  ["before its turn has ended", { at: "turn", chosen: { speaker: "gone", turns: 0, thread: 1 } }],
] as const) {
  test(`a next speaker that the definition has lost ${what} is chosen again`, async () => {
    const { model, manager, context } = scripted([ledger({ next: "bob", tell: "Go." })]);
    context.user("t").saveNote({ task: "t", facts: "F", plan: "P", stalls: 0, since: 0, heard: 1, step });
    assert.deepEqual(await context.select(manager), ["bob"]);
    assert.deepEqual(context.said, ["user: t", "orchestrator: bob: Go."]);
    assert.equal(model.requests.length, 1);
  });
}

test("progress takes back a stall", async () => {
  const { model, manager, context } = scripted(["F", "P", stuck, ledger({}), stuck, ledger({ done: "d" }), "A"], {
    magentic: { maxStalls: 2 },
  });
  await context.user("t").select(manager);
  await context.turn("ann", "1").select(manager);
  await context.turn("ann", "2").select(manager);
  assert.equal(await context.turn("ann", "3").select(manager), "d");
  assert.equal(context.said.filter(isPlan).length, 1);
  assert.equal(model.requests.length, 7);
});

test("three stalls lead to a new plan by default", async () => {
  const { manager, context } = scripted(["F", "P", stuck, stuck, stuck, "F2", "P2", ledger({})]);
  await context.user("t").select(manager);
  await context.turn("ann", "1").select(manager);
  assert.equal(context.said.filter(isPlan).length, 1);
  await context.turn("ann", "2").select(manager);
  assert.equal(context.said.filter(isPlan).length, 2);
});

test("a new plan is tried before there is another one", async () => {
  const { model, manager, context } = scripted(["F", "P", stuck], { magentic: { maxStalls: 0 } });
  assert.deepEqual(await context.user("t").select(manager), ["ann"]);
  assert.equal(model.requests.length, 3);
});

test("an invalid ledger is requested again with the problem", async () => {
  const { model, manager, context } = scripted(["F", "P", "Well,", ledger({ next: "dora" }), ledger({ next: "bob" })]);
  assert.deepEqual(await context.user("t").select(manager), ["bob"]);
  const items = model.lastItems.map((item) => ("content" in item ? String(item.content) : ""));
  assert.equal(items[1], "Well,");
  assert.match(items[2] ?? "", /no JSON object/);
  assert.match(items[4] ?? "", /next_speaker is "dora"/);
  assert.equal(items.length, 5);
});

test("after five invalid ledgers it fails, and the next run asks again", async () => {
  const rubbish = ["1", "2", "3", "4", "5"];
  const { model, manager, context } = scripted(["F", "P", ...rubbish, ledger({ next: "bob" })]);
  await assert.rejects(context.user("t").select(manager), {
    name: "GavelError",
    message: /model scripted returned no valid progress ledger in 5 attempts\. .*`magentic\.model`/,
  });
  assert.deepEqual(await context.select(manager), ["bob"]);
  assert.equal(model.requests.length, 8, "facts and plan are kept");
  assert.equal(model.lastItems.length, 1);
});

test("the final answer is requested with the definition's prompt", async () => {
  const { model, manager, context } = scripted(["F", "P", ledger({ done: "d" }), "A"], {
    magentic: { finalAnswerPrompt: "Answer {task} in French. {x}" },
  });
  assert.equal(await context.user("t").select(manager), "d");
  assert.match(asked(model, 3), /Answer t in French\. \{x\}$/);
});

test("an interrupted speaker is selected again without another ledger", async () => {
  const { model, manager, context } = scripted(["F", "P", ledger({ next: "bob" }), ledger({ next: "ann" })]);
  await context.user("t").select(manager);
  context.turn("bob", "We", "cut").user("Quick!", { metadata: { to: "ann" } });
  assert.deepEqual(await context.select(manager), ["bob"]);
  assert.deepEqual(await context.select(manager), ["bob"]);
  assert.equal(model.requests.length, 3);
  assert.deepEqual(await context.turn("bob", "We do.").select(manager), ["ann"]);
});

test("a message of the user to the team is evaluated immediately, and belongs to the task from then on", async () => {
  const { model, manager, context } = scripted(
    ["F", "P", ledger({ next: "bob" }), ledger({ next: "ann", progress: false }), stuck, "F2", "P2", ledger({})],
    { magentic: { maxStalls: 2 } },
  );
  await context.user("Find a hotel.").select(manager);
  assert.deepEqual(await context.turn("bob", "We", "cut").user("In Rome!").select(manager), ["ann"]);
  assert.match(asked(model, 3), /Find a hotel\.\n\nIn Rome!/);
  await context.turn("ann", "Hm.").select(manager);
  assert.match(asked(model, 5), /Find a hotel\.\n\nIn Rome!/);
});

test("a user participant's answer does not belong to the task", async () => {
  const model = new ScriptedModel(...["F", "P", ledger({ next: "pat" }), ledger({})].map((text) => say(text)));
  const definition: TeamDefinition = {
    name: "Test",
    kind: "magentic",
    participants: [{ name: "ann" }, { name: "pat", kind: "user" }],
  };
  const manager = magenticManager({ definition, model: () => model });
  const context = new TestSelectionContext(definition).user("t");
  assert.deepEqual(await context.select(manager), ["pat"]);
  assert.deepEqual(await context.turn("pat", "Two stars.").select(manager), ["ann"]);
  assert.match(asked(model, 3), /## User request\n\nt\n\n## /);
  assert.match(asked(model, 3), /pat: Two stars\./);
});

test("the task is the user's last messages, also after an earlier task", async () => {
  const { model, manager, context } = scripted(["F"]);
  context.user("Old.").turn("ann", "Done.").user("New, part one.").user("Part two.");
  await context.select(manager).catch(() => {});
  assert.match(asked(model, 0), /## User request\n\nNew, part one\.\n\nPart two\.\n\n/);
});

test("without a task it reports an error", async () => {
  const { manager, context } = scripted([]);
  await assert.rejects(context.select(manager), /no task\. Start the run with a task/);
});

test("its stored note is bounded, however long the conversation", async () => {
  const much = "x".repeat(200_000);
  const { manager, context } = scripted([much, much, much, ledger({ tell: much })]);
  await context.user(much).select(manager);
  assert.ok(JSON.stringify(context.state.note).length < 80_000);
});

/** The first plan stalls; with the second one, after an invalid ledger, the request is satisfied. */
function progressLedgerFor(text: string, isFirstTry: boolean): string {
  if (text.includes("ann: spoke")) return ledger({ done: "All is said." });
  if (text.includes("LEARNT")) return isFirstTry ? "Let me see." : ledger({ next: "ann", tell: "Try again." });
  return text.includes("bob: spoke") ? stuck : ledger({ next: "bob", tell: "Begin.", progress: false });
}

/** A team whose model answers each request by its content, so that steps can be repeated. */
function repeatable() {
  const model = new AnsweringModel((request) => {
    const text = textOfRequest(request);
    if (request.output !== undefined) return progressLedgerFor(text, request.items.length < 3);
    if (text.includes("The team is not making progress")) return "LEARNT, and more";
    if (text.includes("these four lists")) return "FACTS of the case";
    if (text.includes("Write the final answer")) return "The answer is four.";
    return text.includes("Previous plan") ? "A better PLAN" : "A first PLAN";
  });
  return { model, ...teamOf(model, { magentic: { maxStalls: 2 } }) };
}

/** Runs the team until its run ends, and continues after each interrupt. */
async function runToEnd({ manager, context }: ReturnType<typeof repeatable>): Promise<void> {
  for (let rounds = 0; rounds < 30; rounds++) {
    const selected = await context.select(manager);
    const cut = context.signal.aborted;
    if (!cut && typeof selected === "string") return;
    const [speaker] = selected;
    if (speaker === undefined || typeof selected === "string" || cut) {
      context.resume();
      continue;
    }
    context.turn(speaker, "spoke");
    if (context.signal.aborted) context.resume();
  }
  assert.fail("the run does not end");
}

test("interrupted at any record, it continues at the same step: the messages are the same, and no stored step is repeated", async () => {
  const whole = repeatable();
  await runToEnd({ ...whole, context: whole.context.user("t") });
  const { types, said } = whole.context;
  assert.equal(said.filter(isPlan).length, 2);
  assert.ok(types.length > 25);

  for (let at = 2; at <= types.length; at++) {
    const again = repeatable();
    const { context } = again;
    context.user("t").onRecord = () => {
      if (context.types.length === at) context.interrupt();
    };
    await runToEnd(again);
    const where = `record ${at}, ${types[at - 1]}`;
    assert.deepEqual(context.said, said, where);
    // An answer that is interrupted before its note is stored is lost, and requested again.
    const lost = types[at - 1] === "model/asked" ? 1 : 0;
    assert.ok(again.model.requests.length <= whole.model.requests.length + lost, where);
  }
});

test("a final answer that was interrupted is kept as a partial, and completed when it continues", async () => {
  const script = new ScriptedModel(...["F", "P", ledger({ done: "d" })].map((text) => say(text)));
  let cut = false;
  const model: Model = {
    label: "cut",
    async *stream(request, call) {
      if (!textOfRequest(request).includes("Write the final answer")) return yield* script.stream(request, call);
      yield { type: "text", delta: "It " };
      if (!cut) context.interrupt();
      cut = true;
      yield { type: "text", delta: "rains." };
    },
  };
  const { manager, context } = teamOf(model);
  assert.deepEqual(await context.user("t").select(manager), []);
  assert.equal(await context.resume().select(manager), "d");
  assert.deepEqual(threadOf(context), ["user: t", "orchestrator: It …", "orchestrator: It rains."]);
  assert.equal(script.requests.length, 3);
});

test("after a new message instead of an interrupted final answer, it evaluates progress again", async () => {
  const { model, manager, context } = scripted(["F", "P", ledger({ done: "d" }), ledger({ next: "bob" })]);
  context.onRecord = () => {
    if (model.requests.length === 3 && context.types.at(-1) === "manager/noted") context.interrupt();
  };
  assert.deepEqual(await context.user("t").select(manager), []);
  context.onRecord = () => {};
  assert.deepEqual(await context.resume().user("And tomorrow?").select(manager), ["bob"]);
  assert.match(asked(model, 3), /t\n\nAnd tomorrow\?/);
});
