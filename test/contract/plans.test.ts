import assert from "node:assert/strict";
import { it } from "node:test";
import {
  TeamCheckpoints,
  TeamEditPlan,
  TeamFork,
  TeamInspect,
  TeamOpen,
  TeamRewind,
  TeamRun,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

const items = [
  { text: "Read", status: "done" as const },
  { text: "Write", status: "pending" as const },
];

it("a plan is seen and edited by clients, and survives a restart, a fork and a rewind", async () => {
  using scratch = new Scratch();
  const options = { storagePath: scratch.path };
  const lines = { ann: [{ calls: [{ tool: "todo", input: { items } }] }, "planned", "more"] };
  const definition = roundRobin({
    names: ["ann"],
    model: { provider: "practice", pace: 0, lines },
    maxTurns: 1,
    participants: { tools: ["todo"] },
  });
  await using host = await HostClient.start(options);
  await host.send(TeamOpen, { teamId: "t", definition });
  await host.send(TeamRun, { teamId: "t", task: "plan" });
  const plans = async (teamId = "t") => (await host.send(TeamInspect, { teamId })).plans;
  assert.deepEqual(await plans(), { ann: { items } });

  const edited = [{ text: "Ask", status: "pending" as const }];
  const { seq = 0 } = (await host.send(TeamCheckpoints, { teamId: "t" })).checkpoints[0] ?? {};
  const before = (await host.send(TeamInspect, { teamId: "t" })).lastSeq;
  await host.send(TeamEditPlan, { teamId: "t", to: "ann", items: edited, was: items });
  const event = await host.event("t", (one) => one.type === "plan/updated" && one.by !== undefined);
  assert.partialDeepStrictEqual(event, { type: "plan/updated", participant: "ann", items: edited });
  const stale = await refusal(host.send(TeamEditPlan, { teamId: "t", to: "ann", items: [], was: items }));
  assert.equal(stale.data.code, "InvalidParams");
  const unknown = await refusal(host.send(TeamEditPlan, { teamId: "t", to: "eve", items: [] }));
  assert.equal(unknown.data.code, "UnknownParticipant");

  const fork = await host.send(TeamFork, { teamId: "t", newTeamId: "f" });
  assert.deepEqual(fork.plans?.["ann"]?.items, edited);
  await using later = await HostClient.start(options);
  const reopened = await later.send(TeamOpen, { teamId: "f" });
  assert.deepEqual(reopened.plans?.["ann"]?.items, edited);

  assert.deepEqual((await host.send(TeamRewind, { teamId: "t", seq: before })).team.plans, { ann: { items } });
  assert.equal((await host.send(TeamRewind, { teamId: "t", seq })).team.plans, undefined);
});
