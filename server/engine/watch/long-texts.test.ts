import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { InterruptRule } from "../../../shared/contract/interrupt-rule.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { seededRandom } from "../testing/random.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { names, type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

// The tests put what the event loop turns to meanwhile and the events in one order.

const LENGTH = 1_000_000;
const MARK = "delete everything";
const MAX_RULES = 100;

/** As many rules as a team may have; the last one, which `pattern` is for, is named `guard`. */
const rules = (when: (pattern: string) => InterruptRule["when"], pattern: string): InterruptRule[] =>
  Array.from({ length: MAX_RULES }, (_, at) =>
    at < MAX_RULES - 1
      ? { when: when(`on and \\d{${at + 1}}`), reason: "another rule" }
      : { name: "guard", when: when(pattern), reason: "stop there" },
  );

const asked = ({ events }: Pick<TestTeam, "events">): string[] =>
  events.flatMap((event) => (event.type === "interrupt/requested" ? [`${event.by}: ${event.reason}`] : []));

/** A long text with the mark in its middle. */
const longText = (length = LENGTH / 5): string => {
  const half = "and so on ".repeat(length / 20);
  return `${half}${MARK} ${half}`;
};

/** Notes in `order` when the loop has turned once after the first event `from`, and when the first event `to` is told. */
function noteTurn({ team }: TestTeam, from: TeamEvent["type"], isTo: (event: TeamEvent) => boolean): string[] {
  const order: string[] = [];
  let isAsked = false;
  team.onEvent((event) => {
    if (event.type === from && !isAsked) {
      isAsked = true;
      setImmediate(() => order.push("another request"));
    }
    if (isTo(event) && order.at(-1) !== event.type) order.push(event.type);
  });
  return order;
}

const team = (interrupts: InterruptRule[], options: TestTeamOptions): TestTeam =>
  testTeam({ maxTurns: 2, graceMs: 1_000, ...options, interrupts });

test("other requests are answered while a hundred patterns are matched with a long message, and none misses it", async () => {
  const fixture = team(
    rules((matches) => ({ message: { matches } }), "\\bdelete\\s+every"),
    { speakers: { ann: new ScriptedModel(say(longText(LENGTH))), ...names("bob") } },
  );
  const order = noteTurn(
    fixture,
    "reasoning/thought",
    (event) => event.type === "message/added" && event.message.source === "ann",
  );

  const result = await fixture.team.run("t");

  assert.deepEqual(order, ["another request", "message/added"]);
  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(asked(fixture), ["guard: stop there"]);
  assert.equal(fixture.said().length, 2, "no one spoke after it");
});

test("a call with a long input does not run if a rule matches its middle, and others are answered meanwhile", async () => {
  const write = testTool("write");
  const input = { file: "a.txt", text: longText() };
  const fixture = team(
    rules((matches) => ({ tool: { name: "write", arguments: { matches } } }), "\\bdelete\\s+every"),
    { speakers: { ann: new ScriptedModel(ask(call("1", "write", input))) }, tools: [write] },
  );
  const order = noteTurn(fixture, "reasoning/thought", ({ type }) => type === "tool/requested");

  const result = await fixture.team.run("t");

  assert.deepEqual(order, ["another request", "tool/requested"]);
  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(asked(fixture), ["guard: stop there"]);
  assert.deepEqual(write.runs, []);
});

test("many calls at once, and many messages of a task, are all matched", async () => {
  const write = testTool("write");
  const page = "and so on ".repeat(400);
  const calls = Array.from({ length: 100 }, (_, at) => call(`${at}`, "write", { text: `${page}${at}` }));
  const ofCalls = team(
    rules((matches) => ({ tool: { arguments: { matches } } }), "delete\\s+every"),
    { speakers: { ann: new ScriptedModel(ask(...calls), say("done")) }, tools: [write] },
  );
  await ofCalls.team.run("t");
  assert.deepEqual(asked(ofCalls), []);
  assert.equal(write.runs.length, 100);

  const ofTask = team(
    rules((matches) => ({ message: { matches, sources: ["user"] } }), "delete\\s+every"),
    { speakers: names("ann") },
  );
  await ofTask.team.run(
    Array.from(
      { length: 100 },
      (_, at): ChatMessage => ({
        id: `m${at}`,
        type: "TextMessage",
        source: "user",
        content: `${page}${at}`,
        createdAt: "2026-01-01T00:00:00.000Z",
      }),
    ),
  );
  assert.deepEqual(asked(ofTask), []);
});

test("a long message of the user, and one in a nested team, is matched too", async () => {
  const ofUser = (matches: string) => ({ message: { matches, sources: ["user"] } });
  const told = team(rules(ofUser, "\\bdelete\\s+every"), { speakers: names("ann") });
  await told.team.run(longText());
  assert.deepEqual(asked(told), ["guard: stop there"]);
  assert.equal(told.said().length, 1);

  const ofAnyone = (matches: string) => ({ message: { matches } });
  const inner = {
    name: "Lab",
    kind: "roundRobin" as const,
    participants: [{ name: "cat", model: "cat" }],
    maxTurns: 2,
  };
  const nested = team(rules(ofAnyone, "\\bdelete\\s+every"), {
    speakers: { cat: new ScriptedModel(say(longText())) },
    participants: [{ name: "lab", kind: "team", team: inner }],
  });
  await nested.team.run("t");
  assert.deepEqual(asked(nested), ["guard: stop there"]);
  assert.equal(nested.types().filter((type) => type === "reasoning/start").length, 2, "one turn in each team");
});

/** A pattern that needs a new state for almost every character, and a text for it. */
const COSTLY = "a[ab]{900}[cd]";
function costlyText(): string {
  const random = seededRandom(1);
  return Array.from({ length: LENGTH / 5 }, () => (random(2) === 0 ? "a" : "b")).join("");
}

test("a rule whose pattern takes too long interrupts, and says why", async () => {
  const fixture = team(
    rules((matches) => ({ message: { matches } }), COSTLY),
    { speakers: { ann: new ScriptedModel(say(costlyText())), ...names("bob") } },
  );

  const result = await fixture.team.run("t");

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(asked(fixture), [
    "guard: The text takes too long to match, so whether this rule applies is unknown; use a simpler regular expression. The rule: stop there",
  ]);
  assert.equal(fixture.said().length, 2, "no one spoke after it");
});

test("an interrupt ends the wait for patterns", async () => {
  const fixture = team(
    rules((matches) => ({ message: { matches } }), COSTLY),
    { speakers: { ann: new ScriptedModel(say(costlyText())) } },
  );
  const stopped = Promise.withResolvers<void>();
  fixture.team.onEvent(({ type }) => {
    if (type === "reasoning/thought")
      setImmediate(() => fixture.team.interrupt({ reason: "enough" }).then(() => stopped.resolve()));
  });

  const result = await fixture.team.run("t");
  await stopped.promise;

  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.deepEqual(asked(fixture), ["user: enough"]);
  assert.match(fixture.said()[1] ?? "", /…$/, "what was said is kept as a partial message");
});
