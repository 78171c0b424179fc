import assert from "node:assert/strict";
import { test } from "node:test";
import { conversationProblem } from "../../server/engine/testing/conversation-problem.ts";
import { ask, ScriptedModel, say } from "../../server/engine/testing/scripted-model.ts";
import { type TestTeam, testTeam } from "../../server/engine/testing/test-team.ts";
import { testTool } from "../../server/engine/testing/test-tool.ts";
import { chatRequest } from "../../server/models/openai/chat/chat-request.ts";
import type { ParticipantDefinition, TeamDefinition } from "../../shared/contract/definition.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import corpus from "./call-ids.json" with { type: "json" };

type Id = (typeof corpus)[number]["ann"][number];

const idOf = (id: Id): string | undefined => (id === null || typeof id === "string" ? (id ?? undefined) : repeated(id));

const repeated = ({ repeat, times }: { readonly repeat: string; readonly times: number }): string =>
  repeat.repeat(times);

/** A model that calls `pay` with these ids, all at once, and then says that it is done. */
const callsPay = (by: string, ids: readonly Id[]): ScriptedModel =>
  new ScriptedModel(
    ask(...ids.map((id, nth) => ({ id: idOf(id), name: "pay", arguments: JSON.stringify({ by, nth }) }))),
    say("done"),
  );

/** Ann in the team, Eve in its nested team "lab", and Dan in the team "deep" within that, all at the same time. */
function threeTeams({ ann, eve, dan }: Readonly<Record<"ann" | "eve" | "dan", ScriptedModel>>) {
  const tool = testTool("pay", (input) => input, { approval: "ask", preview: async (input) => input });
  const caller = (name: string): ParticipantDefinition => ({ name, model: name, tools: ["pay"] });
  const after = (...names: readonly string[]): NonNullable<TeamDefinition["graph"]> => ({
    edges: names.map((to) => ({ from: "chief", to })),
  });
  const nested = (name: string, ...participants: ParticipantDefinition[]): ParticipantDefinition => {
    const graph = after(...participants.map((participant) => participant.name));
    return {
      name,
      kind: "team",
      team: { name, kind: "graph", participants: [{ name: "chief" }, ...participants], graph },
    };
  };
  const run = testTeam({
    kind: "graph",
    speakers: { chief: () => "go", ann, eve, dan },
    participants: [{ name: "chief" }, caller("ann"), nested("lab", caller("eve"), nested("deep", caller("dan")))],
    graph: after("ann", "lab"),
    tools: [tool],
  });
  return { run, tool };
}

const inputs = (calls: readonly { readonly input: unknown }[]): unknown[] => calls.map(({ input }) => input);

/** Decides one call, and looks at what this did to it and to all others. */
async function decide({ team }: TestTeam, call: PendingTool, how: "restart" | "deny" | "respond"): Promise<void> {
  const others = team.state.pendingTools.filter(({ ref }) => ref !== call.ref);
  const answer = { restart: { ref: call.ref }, deny: { ref: call.ref }, respond: { ref: call.ref, output: "by hand" } };
  await team.resolveTools({ [how]: [answer[how]] });
  assert.deepEqual(
    team.state.pendingTools.filter(({ ref }) => others.some((other) => other.ref === ref)),
    others,
  );
}

for (const { name, ...ids } of corpus) {
  test(`with ${name}, each call has its own ref and is decided alone, in whatever team it is`, async () => {
    const models = {
      ann: callsPay("ann", ids.ann),
      eve: callsPay("eve", ids.eve),
      dan: callsPay("dan", ids.dan),
    };
    const { run, tool } = threeTeams(models);
    await run.team.run("t");
    const pending = [...run.team.state.pendingTools];
    const expected = [ids.ann, ids.eve, ids.dan].flat().length;

    assert.equal(new Set(pending.map(({ ref }) => ref)).size, expected);
    for (const { ref } of pending) assert.match(ref, /^\w{1,40}$/);
    for (const call of pending) assert.deepEqual(await run.team.previewTool(call.ref), call.input);

    const approved: PendingTool[] = [];
    for (const [at, call] of pending.entries()) {
      const how = (["restart", "deny", "respond"] as const)[at % 3] ?? "deny";
      if (how === "restart") approved.push(call);
      await decide(run, call, how);
      assert.deepEqual(inputs(tool.runs), inputs(approved));
    }
    for (const { ref } of pending) {
      for (const type of ["tool/resolved", "tool/executed"] as const) {
        assert.equal(run.events.filter((event) => event.type === type && event.ref === ref).length, 1, type);
      }
    }
    for (const model of Object.values(models)) assertAcceptable(model);
  });
}

test("a model that gives the same id in every answer gets a new ref each time: in a run, in the next one, in another team", async () => {
  const refs = new Set<string>();
  for (let teams = 1; teams <= 2; teams++) {
    const call = ask({ id: "call_0", name: "pay", arguments: "{}" });
    const ann = new ScriptedModel(call, call, say("done"), call, say("done"));
    const run = testTeam({
      kind: "roundRobin",
      speakers: { ann },
      participants: [{ name: "ann", model: "ann", tools: ["pay"] }],
      maxTurns: 1,
      tools: [testTool("pay")],
    });
    await run.team.run("t");
    await run.team.run("again");
    for (const event of run.events)
      if (event.type === "tool/requested") for (const { ref } of event.calls) refs.add(ref);
    assert.equal(refs.size, 3 * teams);
  }
});

/** What the model was last shown is a conversation that endpoints accept. */
function assertAcceptable(model: ScriptedModel): void {
  const request = model.requests.at(-1);
  assert.ok(request !== undefined && model.requests.length > 1, "the model was not shown its results");
  assert.equal(conversationProblem(request.items), undefined);
  const { messages } = chatRequest({ provider: "openai", model: "m" }, request);
  const asked = messages.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []) : []));
  const answered = messages.flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : []));
  assert.deepEqual(
    asked.map(({ id }) => id),
    answered,
  );
  assert.equal(new Set(answered).size, answered.length);
  for (const id of answered) assert.match(id, /^[\x21-\x7e]{1,40}$/);
}
