import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParticipantDefinition, TeamDefinition } from "../../../../shared/contract/definition.ts";
import { textOfRequest } from "../../testing/answering-model.ts";
import { aborted, ScriptedModel, say } from "../../testing/scripted-model.ts";
import { TestSelectionContext } from "../../testing/selection-context.ts";
import { type SelectorOptions, selectorManager } from "./selector-manager.ts";

type Given = Partial<Omit<SelectorOptions, "definition">> & {
  readonly selector?: TeamDefinition["selector"];
  readonly participants?: readonly (string | ParticipantDefinition)[];
};

/** A selector over ann, bob and cid, whose model gives these answers. */
function selectorOf(
  answers: readonly string[],
  { selector, participants = ["ann", "bob", "cid"], ...given }: Given = {},
) {
  const model = new ScriptedModel(...answers.map((answer) => say(answer)));
  const definition: TeamDefinition = {
    name: "Test",
    kind: "selector",
    participants: participants.map((one) => (typeof one === "string" ? { name: one } : one)),
    ...(selector === undefined ? {} : { selector }),
  };
  const manager = selectorManager({ definition, model: () => model, ...given });
  return { model, manager, context: new TestSelectionContext(definition) };
}

const complaintsOf = (model: ScriptedModel): string[] =>
  model.lastItems.flatMap((item, at) => (at > 0 && item.role === "user" ? [String(item.content)] : []));

test("the model selects from the conversation, the roles and the candidates", async () => {
  const participants = [{ name: "ann", description: "Plans\n  trips." }, { name: "bob", kind: "user" as const }, "cid"];
  const { model, manager, context } = selectorOf(["I choose cid."], { participants });
  context.user("To Rome!").turn("ann", "By train.");

  assert.deepEqual(await context.select(manager), ["cid"]);

  const asked = textOfRequest(model.requests[0] ?? assert.fail());
  for (const part of ["ann: Plans trips.", "bob: the human user.", "user: To Rome!\nann: By train.", "bob, cid"]) {
    assert.ok(asked.includes(part), part);
  }
});

test("a custom prompt is filled in once: keys in messages are not replaced", async () => {
  const prompt = "R{roles} P{participants} H{history} {other}";
  const { model, manager, context } = selectorOf(["ann"], { selector: { prompt }, participants: ["ann", "bob"] });
  await context.user("{roles} and {participants}").select(manager);
  assert.deepEqual(model.lastItems, [
    {
      role: "user",
      source: "user",
      content: "Rann: a participant.\nbob: a participant. Pann, bob Huser: {roles} and {participants} {other}",
    },
  ]);
});

test("the user and a nested team can be selected", async () => {
  const team: TeamDefinition = { name: "Lab", kind: "roundRobin", participants: [{ name: "dan" }] };
  const { model, manager, context } = selectorOf(["lab", "pat"], {
    participants: ["ann", { name: "pat", kind: "user" }, { name: "lab", kind: "team", team }],
  });
  assert.deepEqual(await context.user("t").turn("ann", "a").select(manager), ["lab"]);
  assert.deepEqual(await context.turn("lab", "l").turn("ann", "a").select(manager), ["pat"]);
  assert.ok(textOfRequest(model.requests[0] ?? assert.fail()).includes("lab: a team of dan."));
});

test("a name in the thoughts of a reasoning model does not count", async () => {
  const { manager, context } = selectorOf(["<think>ann or bob? bob!</think>\n\nbob"]);
  assert.deepEqual(await context.user("t").select(manager), ["bob"]);
});

test("an ambiguous or unknown answer is asked again with feedback", async () => {
  const { model, manager, context } = selectorOf(["ann or bob", "dora", "cid"]);
  assert.deepEqual(await context.user("t").select(manager), ["cid"]);
  assert.deepEqual(
    model.lastItems.map(({ role }) => role),
    ["user", "assistant", "user", "assistant", "user"],
  );
  const [several, none] = complaintsOf(model);
  assert.match(several ?? "", /more than one participant: ann, bob\..* ann, bob, cid\.$/);
  assert.match(none ?? "", /does not name a participant\..* ann, bob, cid\.$/);
});

test("after three attempts the previous speaker speaks", async () => {
  const { model, manager, context } = selectorOf(["ann or bob", "dora", "everyone", "cid"]);
  assert.deepEqual(await context.user("t").turn("bob", "b").select(manager), ["bob"]);
  assert.equal(model.requests.length, 3);
});

test("after three tries without a previous speaker, the first participant speaks", async () => {
  const { model, manager, context } = selectorOf(["ann or bob", "dora", "everyone", "cid"]);
  assert.deepEqual(await context.user("t").select(manager), ["ann"]);
  assert.equal(model.requests.length, 3);
});

test("a previous speaker that the rules exclude does not continue", async () => {
  const rules = [{ after: "bob", choose: ["cid", "ann"] }];
  const { manager, context } = selectorOf(["?", "?"], { selector: { rules, maxAttempts: 2 } });
  assert.deepEqual(await context.user("t").turn("bob", "b").select(manager), ["cid"]);
});

test("maxAttempts limits how often the model is asked", async () => {
  const { model, manager, context } = selectorOf(["?", "cid"], { selector: { maxAttempts: 1 } });
  assert.deepEqual(await context.user("t").select(manager), ["ann"]);
  assert.equal(model.requests.length, 1);
});

test("a repeated speaker is rejected and asked again", async () => {
  const { model, manager, context } = selectorOf(["bob", "ann"]);
  assert.deepEqual(await context.user("t").turn("bob", "b").select(manager), ["ann"]);
  assert.match(complaintsOf(model)[0] ?? "", /^bob spoke last .* ann, cid\.$/);
});

test("a repeated speaker is accepted when repeats are allowed", async () => {
  const { model, manager, context } = selectorOf(["bob"], { selector: { allowRepeats: true } });
  assert.deepEqual(await context.user("t").turn("bob", "b").select(manager), ["bob"]);
  assert.equal(model.requests.length, 1);
});

const noModel = (): never => assert.fail("no model is needed");

test("with one candidate no model is asked", async () => {
  const { manager, context } = selectorOf([], { participants: ["ann", "bob"], model: noModel });
  assert.deepEqual(await context.user("t").turn("ann", "a").select(manager), ["bob"]);
});

test("the only participant of a team continues", async () => {
  const { manager, context } = selectorOf([], { participants: ["ann"], model: noModel });
  assert.deepEqual(await context.user("t").turn("ann", "a").select(manager), ["ann"]);
});

test("the first matching rule narrows the candidates or selects", async () => {
  const rules = [
    { after: ["ann", "bob"], mentions: "done", choose: "cid" },
    { after: "user", choose: "bob" },
    { after: "bob", choose: ["bob"] },
    { mentions: "who?", choose: ["bob", "cid"] },
  ];
  const { model, manager, context } = selectorOf(["cid", "bob"], { selector: { rules } });
  assert.deepEqual(await context.user("done").select(manager), ["bob"]);
  assert.deepEqual(await context.turn("bob", "who?").select(manager), ["bob"], "a rule may let a speaker go on");
  assert.deepEqual(await context.turn("bob", "done").select(manager), ["cid"]);
  assert.equal(model.requests.length, 0);
  assert.deepEqual(await context.turn("cid", "so").turn("ann", "who?").select(manager), ["cid"]);
  assert.match(textOfRequest(model.requests[0] ?? assert.fail()), /speak next: bob, cid\./);
  assert.deepEqual(await context.turn("cid", "what?").select(manager), ["bob"], "no rule fits: the model is free");
});

test("a partial and a directed message do not affect the rules", async () => {
  const rules = [{ after: "ann", mentions: "ask", choose: "bob" }];
  const { manager, context } = selectorOf([], { selector: { rules }, model: noModel });
  context
    .user("t")
    .turn("ann", "ask him")
    .turn("bob", "Well", "cut")
    .user("Hey", { metadata: { to: "cid" } });
  assert.deepEqual(await context.select(manager), ["bob"]);
});

test("after an answer to a directed message the rules use the speaker before it", async () => {
  const rules = [
    { after: "ann", choose: "bob" },
    { after: "cid", choose: "ann" },
  ];
  const { manager, context } = selectorOf([], { selector: { rules }, model: noModel });
  context
    .user("t")
    .turn("ann", "a")
    .user("Hey", { metadata: { to: "cid" } })
    .user("Yes?", { source: "cid" });
  assert.deepEqual(await context.select(manager), ["bob"]);
});

test("a rule after the user matches a task even if a user participant has the user's name", async () => {
  const rules = [{ after: "user", choose: "bob" }];
  const participants = ["ann", "bob", { name: "user", kind: "user" as const }];
  const { manager, context } = selectorOf([], { selector: { rules }, participants, model: noModel });
  assert.deepEqual(await context.user("t").turn("ann", "a").user("And now?").select(manager), ["bob"]);
});

test("a rule that chooses someone outside the team makes the definition invalid", () => {
  const rules = [{ choose: "ann" }, { choose: ["bob", "dora"] }];
  assert.throws(
    () => selectorOf([], { selector: { rules } }),
    /selector\.rules\[1\]\.choose: there is no participant "dora"; the team has ann, bob, cid/,
  );
});

test("a selector function selects, or leaves it to the model by returning nothing", async () => {
  const choose = (messages: readonly { readonly source: string }[]): string | undefined =>
    messages.at(-1)?.source === "user" ? "ann" : undefined;
  const { model, manager, context } = selectorOf(["cid"], { choose });
  assert.deepEqual(await context.user("t").select(manager), ["ann"]);
  assert.equal(model.requests.length, 0);
  assert.deepEqual(await context.turn("ann", "a").select(manager), ["cid"]);
  const { manager: other } = selectorOf(["bob"], { choose: async () => null });
  assert.deepEqual(await context.turn("cid", "c").select(other), ["bob"]);
});

test("a selector function may let a speaker continue, and cannot select an unknown participant", async () => {
  const { manager, context } = selectorOf([], { choose: () => "ann", model: noModel });
  assert.deepEqual(await context.user("t").turn("ann", "a").select(manager), ["ann"]);
  const stranger = selectorOf([], { choose: () => "dora" });
  await assert.rejects(stranger.context.user("t").select(stranger.manager), {
    message: 'The selector function returned "dora", which is not a participant of the team. Use one of ann, bob, cid.',
  });
});

test("a candidate function returns the candidates, and a single one is selected without a model", async () => {
  const one = selectorOf([], { candidates: () => ["cid"], model: noModel });
  assert.deepEqual(await one.context.user("t").turn("cid", "c").select(one.manager), ["cid"]);
  const two = selectorOf(["ann", "bob"], { candidates: async () => ["cid", "bob"] });
  assert.deepEqual(await two.context.user("t").select(two.manager), ["bob"]);
  assert.match(complaintsOf(two.model)[0] ?? "", /^ann cannot speak next\. .* cid, bob\.$/);
});

test("a candidate function that returns no one, or someone outside the team, ends the run with an error", async () => {
  const none = selectorOf([], { candidates: () => [] });
  await assert.rejects(none.context.user("t").select(none.manager), /The candidate function returned no candidates/);
  const stranger = selectorOf([], { candidates: () => ["ann", "dora"] });
  await assert.rejects(
    stranger.context.user("t").select(stranger.manager),
    /returned "dora", which is not a participant/,
  );
});

test("an interrupted speaker is selected again without asking the model", async () => {
  const { model, manager, context } = selectorOf(["bob", "cid"]);
  assert.deepEqual(await context.user("t").select(manager), ["bob"]);
  context.turn("bob", "We", "cut").user("Hm?", { metadata: { to: "ann" } });
  assert.deepEqual(await context.select(manager), ["bob"]);
  assert.deepEqual(await context.select(manager), ["bob"]);
  assert.equal(model.requests.length, 1);
  assert.deepEqual(await context.turn("bob", "We do.").select(manager), ["cid"]);
});

test("after an interrupt, a new message of the user to the team leads to a new selection", async () => {
  const { manager, context } = selectorOf(["bob", "cid"]);
  await context.user("t").select(manager);
  assert.deepEqual(await context.turn("bob", "We", "cut").user("Rather cid.").select(manager), ["cid"]);
});

test("an interrupt ends the selection immediately", async () => {
  const { promise: never } = Promise.withResolvers<void>();
  const asking = Promise.withResolvers<void>();
  const model = new ScriptedModel([{ type: "wait", until: never }]);
  const { manager, context } = selectorOf([], {
    model: () => {
      asking.resolve();
      return model;
    },
  });
  const selecting = context.user("t").select(manager);
  await asking.promise;
  context.interrupt();
  await aborted(context.signal);
  assert.deepEqual(await selecting, []);
  assert.equal(context.state.note, undefined);
});

test("a note of another kind is ignored", async () => {
  const { manager, context } = selectorOf(["cid"]);
  context.user("t").saveNote({ speaker: 1 });
  assert.deepEqual(await context.select(manager), ["cid"]);
});
