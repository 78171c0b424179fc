import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { atRest } from "../testing/at-rest.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { foldOf } from "../testing/memory-journal.ts";
import { ask, call, ScriptedModel, say, spend } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** About a thousand tokens. */
const LONG = "word ".repeat(1_000);

const SUMMARIZED = { kind: "summarized", size: 2_500 } as const;

const textsOf = ({ lastItems }: ScriptedModel): string[] =>
  lastItems.map((item) => (item.role === "tool" ? String(item.output) : String(item.content)).slice(0, 120));

const summariesIn = (events: readonly TeamEvent[]) =>
  events.flatMap((event) => (event.type === "context/summarized" ? [event] : []));

test("a context that is too long is summarized by its model, and the summary is shown in place of the older part", async () => {
  const usage = { prompt: 1_000, completion: 10, total: 1_010 };
  const ann = new ScriptedModel(
    say(`first ${LONG}`),
    say(`second ${LONG}`),
    [...say("The user wants three poems; two are written."), spend(usage)],
    say("third"),
  );
  const { team, events, definition, folded, said } = testTeam({
    speakers: { ann },
    more: { ann: { context: SUMMARIZED } },
    maxTurns: 3,
  });

  const result = await team.run("three poems");

  const [summary, ...others] = summariesIn(events);
  const [, first] = team.messages;
  assert.ok(summary !== undefined && first !== undefined);
  assert.deepEqual(others, []);
  assert.equal(summary.summary.text, "The user wants three poems; two are written.");
  assert.deepEqual(summary.summary.through, { messageId: first.id });
  assert.ok(summary.tokens.after < summary.tokens.before, JSON.stringify(summary.tokens));
  const [, , asked] = ann.requests;
  const [whole] = asked?.items ?? [];
  assert.match(whole?.role === "user" ? String(whole.content) : "", /user: three poems\n\nann \(you\): first word/);
  assert.deepEqual(asked?.tools, []);
  const [shown, kept, ...more] = textsOf(ann);
  assert.match(shown ?? "", /stands for the earlier part/);
  assert.match(kept ?? "", /^second word/);
  assert.deepEqual(more, []);
  // Ann is said to summarize while her model writes the summary, and no longer.
  const ofSummary = events.flatMap(({ type }, at) => {
    const state = foldOf(events.slice(0, at + 1), team.state.teamId, definition);
    return state.participants[0]?.summarizing ? [type] : [];
  });
  assert.deepEqual(ofSummary, ["context/summarizing", "model/asked"]);
  // The thread is as it was, and the tokens count.
  assert.equal(said().length, 4);
  assert.equal(result.usage.total, usage.total);
  assert.deepEqual(folded().contexts, { ann: { summary: summary.summary } });
});

test("a long turn is summarized between its steps, and no call is parted from its result", async () => {
  const look = testTool("look", (input) => `${JSON.stringify(input)} ${LONG}`);
  const ann = new ScriptedModel(
    ask(call("c1", "look", { n: 1 }), call("c2", "look", { n: 2 })),
    say("I looked twice."),
    ask(call("c3", "look", { n: 3 })),
    say("done"),
  );
  const { team, events, withIds } = testTeam({
    speakers: { ann },
    tools: [look],
    more: { ann: { context: { kind: "summarized", size: 1_500 } } },
    maxTurns: 1,
  });

  await team.run("look around");

  for (const { items } of ann.requests) assert.equal(conversationProblem(items), undefined);
  const ends = summariesIn(events).map(({ summary }) => withIds(summary.through));
  assert.deepEqual(ends[0], { messageId: team.messages[0]?.id });
  assert.ok(ann.requests.length >= 4);
});

test("after Undo the messages are shown again, and no summary is made until one is asked for", async () => {
  const ann = new ScriptedModel(
    say(`first ${LONG}`),
    say(`second ${LONG}`),
    say("the summary"),
    say("third"),
    say("fourth"),
    say("another summary"),
    ask(call("c1", "look")),
    say("fifth"),
  );
  const tools = [testTool("look")];
  const { team, events, folded, said } = testTeam({
    speakers: { ann },
    tools,
    more: { ann: { context: SUMMARIZED } },
    maxTurns: 3,
  });
  await team.run("poems");
  assert.throws(() => team.restoreContext("bob"), /no participant "bob"/);

  team.restoreContext("ann");
  assert.deepEqual(folded().contexts, { ann: { restored: true } });
  assert.throws(() => team.restoreContext("ann"), /the context of ann is not summarized/);
  await team.sendUserMessage("ann", ["go on"]);
  await atRest(team);

  assert.equal(summariesIn(events).length, 1);
  assert.match(textsOf(ann)[1] ?? "", /^first word/);
  team.summarizeContext("ann");
  assert.deepEqual(folded().contexts, { ann: { requested: true } });
  await team.run("more");
  // Made once, not before each request of the turn.
  assert.equal(summariesIn(events).length, 2);
  assert.ok(said().includes("ann: fifth"));
});

test("a summary survives a restart, a saved state and a fork of it", async () => {
  const ann = new ScriptedModel(say(`first ${LONG}`), say(`second ${LONG}`), say("the summary"), say("third"));
  const { team, reopened } = testTeam({ speakers: { ann }, more: { ann: { context: SUMMARIZED } }, maxTurns: 3 });
  await team.run("poems");
  const saved = team.save();
  assert.equal(saved.contexts?.["ann"]?.summary?.text, "the summary");

  const later = reopened().team;
  assert.deepEqual(later.save(), saved);
  later.reset();
  assert.equal(later.save().contexts, undefined);
  later.load(saved);
  await later.run("and now");
  assert.match(textsOf(ann)[0] ?? "", /stands for the earlier part/);
});

test("interrupted while the model summarizes, the team keeps everything, and summarizes again when it goes on", async () => {
  const never = new Promise(() => {});
  const ann = new ScriptedModel(
    say(`first ${LONG}`),
    say(`second ${LONG}`),
    [...say("half a sum"), { type: "wait", until: never }],
    say("the summary"),
    say("third"),
  );
  const { team, events, said } = testTeam({ speakers: { ann }, more: { ann: { context: SUMMARIZED } }, maxTurns: 3 });
  const running = team.run("poems");
  while (ann.requests.length < 3) await new Promise((resolve) => setImmediate(resolve));

  await team.interrupt();
  await running;

  assert.deepEqual(summariesIn(events), []);
  assert.equal(said().length, 3);
  await team.run();
  assert.equal(summariesIn(events)[0]?.summary.text, "the summary");
  assert.equal(said().at(-1), "ann: third");
});

test("a model that writes no summary ends the run with one sentence; the thread stays as it is", async () => {
  const ann = new ScriptedModel(say(`first ${LONG}`), say(`second ${LONG}`), [], say("the summary"), say("third"));
  const { team, said } = testTeam({ speakers: { ann }, more: { ann: { context: SUMMARIZED } }, maxTurns: 3 });

  const { status } = await team.run("poems");

  assert.equal(status.code, "error");
  assert.match(status.message ?? "", /^The model of ann wrote no summary of its context/);
  await team.run();
  assert.equal(said().at(-1), "ann: third");
});
