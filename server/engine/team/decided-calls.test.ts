import assert from "node:assert/strict";
import { test } from "node:test";
import { GavelError } from "../../../shared/contract/errors.ts";
import type { Team } from "../index.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

const pay = () => testTool("pay", (input) => `paid ${input}`, { approval: "ask" });

/** A team that waits for decisions on c1, c2 and c3, and its users. */
async function waiting(options: Partial<TestTeamOptions> = {}) {
  let acting = "user";
  const one = new ScriptedModel(ask(call("c1", "pay", 1), call("c2", "pay", 2), call("c3", "pay", 3)), say("thanks"));
  const user = (): string => acting;
  const fixture = testTeam({ speakers: { one }, tools: [pay()], maxTurns: 1, user, ...options });
  await fixture.team.run("t");
  const as = (who: string, { team }: TestTeam = fixture): Team => {
    acting = who;
    return team;
  };
  return { ...fixture, as };
}

/** The error of a refused decision: its sentence, and who it says has decided. */
async function refusal(deciding: Promise<unknown>): Promise<readonly [string, unknown]> {
  const error = await deciding.then(
    () => assert.fail("it was taken"),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof GavelError);
  assert.equal(error.data.code, "InvalidResume");
  return [error.message, error.data["answeredBy"]];
}

test("of two answers to one call the first counts, and the second is told whose it was", async () => {
  const { team, as, ref, events } = await waiting();
  const c1 = ref("c1");
  const first = as("Ann").resolveTools({ restart: [{ ref: c1 }] });
  const second = as("Bob").resolveTools({ deny: [{ ref: c1 }] });
  assert.deepEqual(await refusal(second), [
    "Ann has already approved this call.",
    [{ ref: c1, by: "Ann", how: "restart" }],
  ]);
  assert.deepEqual((await first).remaining, [ref("c2"), ref("c3")]);
  await as("Bob").resolveTools({ deny: [{ ref: ref("c2") }] });
  assert.deepEqual(
    (await refusal(as("Ann").resolveTools({ restart: [{ ref: ref("c2") }] })))[0],
    "Bob has already denied this call.",
  );
  await as("Cat").resolveTools({ respond: [{ ref: ref("c3"), output: 3 }] });
  assert.deepEqual(
    (await refusal(as("Cat").resolveTools({ restart: [{ ref: ref("c3") }] })))[0],
    "You have already answered this call.",
  );
  assert.equal(
    (await refusal(as("Dan").resolveTools({ deny: [{ ref: c1 }, { ref: ref("c2") }] })))[0].includes(
      `Ann has already approved the call ${c1}. Bob has already denied the call ${ref("c2")}.`,
    ),
    true,
  );
  assert.deepEqual(
    events.flatMap((event) => (event.type === "tool/executed" ? [event.output] : [])),
    ["paid 1", "The user denied this call.", 3],
  );
  assert.equal(team.state.status, "idle");
});

test("it is told also after a restart of the host, and nothing of the refused request is done", async () => {
  const fixture = await waiting();
  await fixture.as("Ann").resolveTools({ deny: [{ ref: fixture.ref("c1") }] });
  const reopened = fixture.reopened();
  const both = { deny: [{ ref: fixture.ref("c1") }, { ref: fixture.ref("c2") }] };
  assert.equal((await refusal(fixture.as("Bob", reopened).resolveTools(both)))[0], "Ann has already denied this call.");
  assert.deepEqual(
    reopened.team.state.pendingTools.map(({ ref }) => ref),
    [fixture.ref("c2"), fixture.ref("c3")],
  );
});

test("a user is named as the team knows them", async () => {
  const { team, as, ref } = await waiting();
  team.admit({ id: "b1", name: "Bob Doe" }, { id: "a1", name: "Ann Roe" });
  await as("a1").resolveTools({ deny: [{ ref: ref("c1") }] });
  const [message] = await refusal(as("b1").resolveTools({ deny: [{ ref: ref("c1") }] }));
  assert.equal(message, "Ann Roe has already denied this call.");
});

test("it is told of the calls of nested teams", async () => {
  const deep = new ScriptedModel(ask(call("c1", "pay", 1), call("c2", "pay", 2)), say("thanks"));
  const inner = {
    name: "Inner",
    kind: "roundRobin" as const,
    participants: [{ name: "deep", model: "deep", tools: ["pay"] }],
    maxTurns: 1,
  };
  const { as, ref } = await waiting({
    speakers: { deep },
    participants: [{ name: "group", kind: "team", team: inner }],
  });
  await as("Ann").resolveTools({ deny: [{ ref: ref("c1") }] });
  assert.equal(
    (await refusal(as("Bob").resolveTools({ restart: [{ ref: ref("c1") }] })))[0],
    "Ann has already denied this call.",
  );
});
