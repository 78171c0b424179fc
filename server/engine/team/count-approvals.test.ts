import assert from "node:assert/strict";
import { test } from "node:test";
import type { GavelError } from "../../../shared/contract/errors.ts";
import { SavedState } from "../../../shared/contract/saved-state.ts";
import type { Team } from "../index.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { type TestTeam, type TestTeamOptions, testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

/** A team in which two of its users have to approve a call, and which waits for a decision on the call c1 of `pay`. */
async function waiting(options: Partial<TestTeamOptions> = {}) {
  let acting = "ann";
  const pay = testTool("pay", (input) => `paid ${input}`, { approval: "ask" });
  const one = new ScriptedModel(ask(call("c1", "pay", 1)), say("thanks"), ask(call("c2", "pay", 2)), say("bye"));
  const fixture = testTeam({ speakers: { one }, tools: [pay], maxTurns: 1, user: () => acting, ...options });
  const as = (user: string, { team }: TestTeam = fixture): Team => {
    acting = user;
    return team;
  };
  as("ann").setApprovers({ required: 2 });
  await as("ann").run("t");
  const c1 = fixture.ref("c1");
  const approve = (user: string, input?: unknown) =>
    as(user).resolveTools({ restart: [{ ref: c1, ...(input === undefined ? {} : { input }) }] });
  return { ...fixture, pay, as, approve, c1 };
}

const refused = async (deciding: Promise<unknown>): Promise<string> =>
  deciding.then(
    () => assert.fail("it was taken"),
    (error: GavelError) => error.message,
  );

test("a call runs once as many users as required have approved it, and the same user counts once", async () => {
  const { team, approve, pay, c1, events } = await waiting();
  assert.equal(team.state.pendingTools[0]?.required, 2);
  assert.deepEqual(await approve("ann"), { remaining: [c1] });
  assert.deepEqual(
    team.state.pendingTools[0]?.approvals?.map(({ by }) => by),
    ["ann"],
  );
  assert.equal(await refused(approve("ann")), "You have already approved this call.");
  assert.equal(pay.runs.length, 0);
  const { result } = await approve("bob");
  assert.equal(result?.status.code, "success");
  assert.deepEqual(pay.runs.length, 1);
  assert.deepEqual(
    events.flatMap((event) => (event.type.startsWith("tool/") && "by" in event ? [`${event.type} ${event.by}`] : [])),
    ["tool/approved ann", "tool/resolved bob"],
  );
  assert.equal(await refused(approve("cat")), "bob has already approved this call.");
});

test("another input than was approved starts the count again, and what runs is what all of them approved", async () => {
  const { approve, pay, c1 } = await waiting();
  await approve("ann");
  assert.deepEqual(await approve("bob", 5), { remaining: [c1] });
  assert.deepEqual(await approve("ann"), { remaining: [c1] });
  assert.deepEqual(await approve("cat", 5), { remaining: [c1] });
  await approve("dan", 5);
  assert.deepEqual(
    pay.runs.map(({ input }) => input),
    [5],
  );
});

test("a denial decides at once, and an output in the tool's place counts like an approval of exactly that", async () => {
  const denied = await waiting();
  await denied.approve("ann");
  assert.equal((await denied.as("bob").resolveTools({ deny: [{ ref: denied.c1 }] })).result?.status.code, "success");
  assert.equal(denied.pay.runs.length, 0);

  const given = await waiting();
  const answer = (user: string, output: unknown) =>
    given.as(user).resolveTools({ respond: [{ ref: given.c1, output }] });
  await given.approve("ann");
  assert.deepEqual((await answer("bob", "mine")).remaining, [given.c1]);
  assert.deepEqual((await answer("ann", "other")).remaining, [given.c1]);
  assert.deepEqual((await answer("bob", "mine")).remaining, [given.c1]);
  assert.deepEqual((await answer("cat", "mine")).remaining, []);
  assert.equal(given.pay.runs.length, 0);
});

test("approvals outlast a restart of the host, and not a state that is loaded: whoever wrote it may have written them", async () => {
  const fixture = await waiting();
  await fixture.approve("ann");
  const saved = SavedState.parse(JSON.parse(JSON.stringify(fixture.team.save())));
  const reopened = fixture.reopened();
  assert.equal(
    await refused(fixture.as("ann", reopened).resolveTools({ restart: [{ ref: fixture.c1 }] })),
    "You have already approved this call.",
  );
  fixture.as("ann").load(saved);
  const [call] = fixture.team.state.pendingTools;
  assert.deepEqual([call?.approvals, call?.required], [undefined, 2]);
  const { remaining } = await fixture.as("bob").resolveTools({ restart: [{ ref: call?.ref ?? "" }] });
  assert.equal(remaining.length, 1);
});

test("only those decide that the chair has named, and who is named no more does not count any more", async () => {
  const { as, approve, team, pay } = await waiting();
  team.admit({ id: "cat", name: "Cat" }, { id: "ann", name: "Ann" });
  await approve("bob");
  as("ann").setApprovers({ required: 2, from: ["ann", "cat"] });
  assert.equal(await refused(approve("bob")), "Only Ann and Cat may decide on calls of this team; ask one of them.");
  await approve("ann");
  assert.equal(pay.runs.length, 0);
  await approve("cat");
  assert.equal(pay.runs.length, 1);
});

test("where several have to approve, no rule lets a call run unasked, except of a tool that changes nothing", async () => {
  const allow = () => ({ decision: "allow" as const, rules: [], byRule: true, reason: "A rule allows it." });
  const run = async (readOnly: boolean, required: number) => {
    const tool = testTool("pay", () => "paid", { approval: "ask", ...(readOnly ? { readOnly } : {}) });
    const one = new ScriptedModel(ask(call("c1", "pay", 1)), say("thanks"));
    const { team } = testTeam({ speakers: { one }, tools: [tool], maxTurns: 1, approval: allow });
    team.setApprovers({ required });
    await team.run("t");
    return tool.runs.length;
  };
  assert.deepEqual([await run(false, 1), await run(false, 2), await run(true, 2)], [1, 0, 1]);
});

test("a team's file can ask for more approvals than the chair, and never for fewer", async () => {
  const { approve, as, c1 } = await waiting({ approvals: { required: 3 } });
  await approve("ann");
  assert.deepEqual((await approve("bob")).remaining, [c1]);
  assert.deepEqual((await approve("cat")).remaining, []);
  const other = await waiting({ approvals: { required: 1 } });
  assert.equal(other.team.state.pendingTools[0]?.required, 2);
  void as;
});

test("a call of a nested team needs the approvals that the outermost team requires", async () => {
  const deep = new ScriptedModel(ask(call("c1", "pay", 1)), say("thanks"));
  const participants = [{ name: "deep", model: "deep", tools: ["pay"] }];
  const inner = { name: "Inner", kind: "roundRobin" as const, participants, maxTurns: 1 };
  const { team, approve, pay, c1 } = await waiting({
    speakers: { deep },
    participants: [{ name: "group", kind: "team", team: inner }],
  });
  await approve("ann");
  assert.deepEqual([team.state.pendingTools[0]?.approvals?.length, pay.runs.length], [1, 0]);
  assert.equal(team.state.pendingTools[0]?.ref, c1);
  await approve("bob");
  assert.equal(pay.runs.length, 1);
});
