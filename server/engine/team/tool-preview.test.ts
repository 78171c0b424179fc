import assert from "node:assert/strict";
import { test } from "node:test";
import { rejectionOf } from "../testing/rejection.ts";
import { ask, call, ScriptedModel } from "../testing/scripted-model.ts";
import { type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const pay = testTool("pay", () => "paid", {
  approval: "ask",
  preview: async (input) => ({ path: "accounts", before: null, after: JSON.stringify(input) }),
});
const ring = testTool("ring", () => "rung", { approval: "ask" });

const research: NonNullable<TestTeamOptions["participants"]> = [
  {
    name: "research",
    kind: "team",
    team: {
      name: "R",
      kind: "roundRobin",
      participants: [{ name: "ann", model: "ann", tools: ["pay", "ring"] }],
    },
  },
];

for (const participants of [undefined, research]) {
  test(`a preview shows what a pending call ${participants === undefined ? "" : "of a nested team "}would do, also with another input`, async () => {
    const ann = new ScriptedModel(ask(call("c1", "pay", { sum: 5 }), call("c2", "ring")));
    const { team, ref } = testTeam({
      speakers: { ann },
      tools: [pay, ring],
      ...(participants === undefined ? {} : { participants }),
    });
    await team.run("t");
    const before = team.state;

    assert.deepEqual(await team.previewTool(ref("c1")), { path: "accounts", before: null, after: '{"sum":5}' });
    assert.deepEqual(await team.previewTool(ref("c1"), 4), { path: "accounts", before: null, after: "4" });
    assert.equal(await team.previewTool(ref("c2")), null);
    assert.equal((await rejectionOf(() => team.previewTool(ref("c3")))).data.code, "InvalidResume");
    assert.equal(team.state, before);
    assert.equal(pay.runs.length, 0);
  });
}

test("an edited input for a call of a nested team is checked by that team's tool", async () => {
  const strict = testTool("pay", () => "paid", {
    approval: "ask",
    prepare: (input) => {
      if (typeof input !== "number") throw new Error("give a number");
      return input;
    },
  });
  const ann = new ScriptedModel(ask(call("c1", "pay", 5)));
  const { team, ref } = testTeam({ speakers: { ann }, tools: [strict, ring], participants: research });
  await team.run("t");
  const before = team.state;

  const fault = await rejectionOf(() => team.resolveTools({ restart: [{ ref: ref("c1"), input: "much" }] }));

  assert.match(fault.message, /restart\[0\]\.input: give a number/);
  assert.equal(team.state, before);
});
