import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { type TestTeam, testTeam } from "../testing/test-team.ts";
import { INTERRUPT_REASONING } from "./interrupt-reasoning-tool.ts";

/** Ann and a guide, who speak at the same time: the guide acts during ann's first thought, which ends after that. */
function guided(
  input: object,
  to: string | string[] = "ann",
): { fixture: TestTeam; ann: ScriptedModel; guide: ScriptedModel } {
  const begun = Promise.withResolvers<void>();
  const acted = Promise.withResolvers<void>();
  const ann = new ScriptedModel(
    [...say("one "), { type: "wait", until: acted.promise }, ...say("way")],
    say("another way"),
  );
  const guide = new ScriptedModel(
    [{ type: "wait", until: begun.promise }, ...ask(call("1", INTERRUPT_REASONING, input))],
    say("I have spoken."),
  );
  const fixture = testTeam({
    speakers: { ann, guide },
    kind: "graph",
    graph: { edges: [], entry: ["ann", "guide"] },
    more: { guide: { capabilities: [{ kind: "reasoning/interrupt", to }] } },
    graceMs: 1,
  });
  fixture.team.onEvent((event) => {
    if (event.type === "message/chunk" && event.source === "ann") begun.resolve();
    if (event.type === "tool/executed") acted.resolve();
  });
  return { fixture, ann, guide };
}

const output = ({ events }: TestTeam): unknown => events.find((event) => event.type === "tool/executed")?.output;

test("a guide redirects the reasoning of a participant that speaks at the same time", async () => {
  const { fixture, ann } = guided({ participant: "ann", reason: "redirect", message: "think of security" });
  const result = await fixture.team.run("t");
  assert.equal(result.status.code, "success");
  const said = fixture.said();
  assert.ok(said.indexOf("ann: one way") < said.indexOf("guide: think of security"));
  assert.ok(said.indexOf("guide: think of security") < said.indexOf("ann: another way"));
  assert.equal(ann.requests.length, 2);
  assert.equal(output(fixture), "ann was asked to stop reasoning after its current thought.");
});

test("a guide stops the reasoning, which stops the run", async () => {
  const { fixture, ann } = guided({ participant: "ann", reason: "resource_limit", message: "that is enough" });
  const result = await fixture.team.run("t");
  assert.equal(result.stopReason, "USER_INTERRUPT");
  assert.equal(ann.requests.length, 1);
  const ack = fixture.events.find((event) => event.type === "reasoning/interrupt-ack");
  assert.equal(ack?.type === "reasoning/interrupt-ack" && ack.payload.status, "stopping");
});

test("an invalid input, or one beyond the capability, is answered with what is valid", async () => {
  for (const [input, answer] of [
    [{ participant: "guide", reason: "timeout", message: "x" }, /^`participant` must be one of ann/],
    [{ participant: "ann", reason: "user_request", message: "x" }, /^`reason` must be one of: timeout, redirect/],
    [{ participant: "ann", reason: "redirect" }, /^Provide `message`/],
  ] as const) {
    const { fixture } = guided(input);
    await fixture.team.run("t");
    assert.match(String(output(fixture)), answer);
    assert.ok(!fixture.types().includes("reasoning/interrupt"));
  }
});

test("a participant that is not reasoning is not asked; only participants with the capability are offered the tool", async () => {
  const { fixture, ann, guide } = guided({ participant: "zed", reason: "timeout", message: "x" }, "*");
  await fixture.team.run("t");
  assert.equal(output(fixture), "zed was not asked: it is not reasoning now.");
  assert.deepEqual(ann.requests[0]?.tools, []);
  assert.deepEqual(
    guide.requests[0]?.tools.map(({ name }) => name),
    [INTERRUPT_REASONING],
  );
});
