import assert from "node:assert/strict";
import { test } from "node:test";
import type { PracticeModel } from "../../../shared/contract/definition.ts";
import { createTeam } from "../../engine/index.ts";
import type { ContextItem, ModelPart } from "../../engine/model.ts";
import { afterReply } from "../../engine/testing/test-team.ts";
import { collect, sampleRequest, stillClock, textOfParts } from "../testing/collect.ts";
import { practiceModel } from "./practice-model.ts";

const script: PracticeModel = {
  provider: "practice",
  pace: 0,
  lines: {
    writer: ["First line.", { say: "I look.", calls: [{ tool: "readFile", input: { path: "a" } }] }, "Last line."],
    reader: ["Hm."],
  },
  asked: { writer: ["Since you ask.", "And again."] },
};

const said = (content: string): ContextItem => ({ role: "assistant", content, calls: [] });
const cut = (content: string): ContextItem => ({ role: "assistant", content, calls: [], partial: true });
const heard: ContextItem = { role: "user", source: "reader", content: "Hm." };
const asked: ContextItem = { role: "user", source: "user", content: "Why?", directedTo: "writer" };
const askedOther: ContextItem = { role: "user", source: "user", content: "Why?", directedTo: "reader" };
const called: ContextItem = {
  role: "assistant",
  content: "I look.",
  calls: [{ ref: "r", name: "readFile", input: {} }],
};
const result: ContextItem = { role: "tool", ref: "r", name: "readFile", output: "text", isError: false };

/** What the writer says next after these items. */
async function next(items: readonly ContextItem[], definition = script): Promise<string> {
  return (await collect(practiceModel(definition), { ...sampleRequest, items })).text;
}

test("a participant's lines are played in order, counted by what it has said", async () => {
  assert.equal(await next([heard]), "First line.");
  assert.equal(await next([said("First line."), heard]), "I look.");
  assert.equal(await next([said("First line."), heard, called, result]), "Last line.");
});

test("the calls of a step come after its text, as JSON, and no usage is reported", async () => {
  const { parts } = await collect(practiceModel(script), { ...sampleRequest, items: [said("First line."), heard] });
  assert.deepEqual(parts.at(-1), { type: "calls", calls: [{ name: "readFile", arguments: '{"path":"a"}' }] });
  assert.equal(textOfParts(parts), "I look.");
  assert.ok(!parts.some((part) => part.type === "usage"));
});

test("a directed message is answered from `asked`, and the lines then continue where they were", async () => {
  assert.equal(await next([said("First line."), asked]), "Since you ask.");
  assert.equal(await next([said("First line."), asked, said("Since you ask."), heard]), "I look.");
  assert.equal(await next([asked, said("Since you ask."), heard, asked]), "And again.");
  assert.equal(await next([asked, said("Since you ask."), asked, said("And again."), asked]), "First line.");
  assert.equal(await next([askedOther]), "First line.");
});

test("a question is answered once; the next turn continues with the lines", async () => {
  assert.equal(await next([said("First line."), asked, said("Since you ask.")]), "I look.");
});

test("an interrupted line continues with the rest of it, even when interrupted twice", async () => {
  assert.equal(await next([cut("First")]), " line.");
  assert.equal(await next([cut("First"), heard]), " line.");
  assert.equal(await next([cut("Fir"), askedOther, cut("st")]), " line.");
  assert.equal(await next([cut("First"), said(" line."), heard]), "I look.");
});

test("a question to the interrupted participant is answered first, then the line is completed", async () => {
  assert.equal(await next([cut("First"), asked]), "Since you ask.");
  assert.equal(await next([cut("First"), asked, cut("Since you")]), " ask.");
  assert.equal(await next([cut("First"), asked, said("Since you ask."), heard]), " line.");
});

test("a line that was interrupted after its last word still makes its calls", async () => {
  const { parts } = await collect(practiceModel(script), {
    ...sampleRequest,
    items: [said("First line."), cut("I look.")],
  });
  assert.deepEqual(
    parts.map(({ type }) => type),
    ["calls"],
  );
});

test("a script that has run out says so, names the participant and says what to do", async () => {
  const { text } = await collect(practiceModel(script), {
    ...sampleRequest,
    participant: "reader",
    items: [said("Hm.")],
  });
  assert.match(text, /no more lines for reader: write more of them in the team file .* or set a real model/);
  assert.match(await next([], { provider: "practice", pace: 0 }), /no more lines for writer/);
  const strange = { ...sampleRequest, participant: "constructor" };
  assert.match((await collect(practiceModel(script), strange)).text, /no more lines for constructor/);
});

test("lines that are added after the script ran out are played", async () => {
  const over = await next([said("1"), called, result, said("3")]);
  const longer = { ...script, lines: { writer: ["1", "2", "3", "More."] } };
  assert.equal(await next([said("1"), called, result, said("3"), said(over), heard], longer), "More.");
});

test("a participant that sees only part of the conversation continues where it was, with tool calls and questions among its steps", async () => {
  const team = createTeam({
    teamId: "t",
    definition: {
      name: "Short memory",
      kind: "roundRobin",
      participants: ["writer", "reader"].map((name) => ({ name, context: { kind: "buffered", size: 1 } })),
      models: {
        default: {
          ...script,
          lines: { writer: [...(script.lines?.["writer"] ?? []), "The end."], reader: ["Hm.", "Well.", "So."] },
        },
      },
      maxTurns: 4,
    },
    parts: {
      model: (definition) => practiceModel(definition as PracticeModel),
      tool: () => undefined,
    },
  });
  await team.run("Write.");
  await team.sendUserMessage("writer", ["Why?"], afterReply("pause"));
  await team.run();

  const words = team.messages.filter(({ type }) => type === "TextMessage").map(({ content }) => content);
  assert.deepEqual(words.slice(1, 7), ["First line.", "Hm.", "Last line.", "Well.", "Since you ask.", "The end."]);
});

test("a line that a question interrupted is not played again when the question was answered with the rest of it", async () => {
  const lines = { writer: ["The end.", "The beginning."] };
  const definition: PracticeModel = { provider: "practice", pace: 0, lines };
  assert.equal(await next([cut("The "), asked], definition), "end.");
  assert.equal(await next([cut("The "), asked, said("end."), heard], definition), "The beginning.");
});

test("it streams word by word at its pace, and the words with their white space are the text", async () => {
  const text = "  One two,\n\n  three.\tFour \n";
  const clock = stillClock();
  const model = practiceModel({ provider: "practice", pace: 4, lines: { writer: [text] } }, clock);
  const answer = await collect(model);
  assert.equal(answer.text, text);
  assert.equal(answer.parts.length, 4);
  assert.deepEqual(clock.waits, [250, 250, 250, 250]);
  assert.equal(model.label, "practice");
});

test("without a pace, it plays at reading speed", async () => {
  const clock = stillClock();
  await collect(practiceModel({ provider: "practice", lines: { writer: ["One two."] } }, clock));
  assert.ok(clock.waits.every((wait) => wait > 50 && wait < 150));
});

test("an abort ends it at once, with the text so far and without its calls", async () => {
  const aborter = new AbortController();
  const lines = { writer: [{ say: "One two three.", calls: [{ tool: "readFile" }] }] };
  const fast = practiceModel({ provider: "practice", pace: 1000, lines });
  const parts: ModelPart[] = [];
  for await (const part of fast.stream(sampleRequest, { signal: aborter.signal, onRetry() {} })) {
    parts.push(part);
    if (parts.length === 2) aborter.abort();
  }
  assert.equal(textOfParts(parts), "One two");

  // The real clock, at a pace of a quarter of an hour for a word.
  const slow = practiceModel({ provider: "practice", pace: 0.001, lines });
  const inTime = new AbortController();
  setImmediate(() => inTime.abort());
  assert.deepEqual((await collect(slow, sampleRequest, inTime.signal)).parts, []);
});
