import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import {
  TeamDelete,
  TeamEvents,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamReset,
  TeamResolveTools,
  TeamRun,
  TeamSendUserMessage,
  TeamSetApprovers,
  TeamSetRole,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

const teamId = "t";
const definition = roundRobin({ names: ["one", "two"], maxTurns: 1 });
const pay = { name: "pay", description: "Pays.", inputSchema: { type: "object" }, approval: "ask" as const };
const paying: TeamDefinition = {
  name: "Paying",
  kind: "roundRobin",
  participants: [{ name: "one", tools: ["pay"] }],
  models: {
    default: { provider: "practice", pace: 0, lines: { one: [{ calls: [{ tool: "pay", input: {} }] }, "Bye."] } },
  },
  maxTurns: 1,
};
const ANN = { id: "ann", name: "Ann Roe" };
const BOB = { id: "bob", name: "Bob Doe" };

/** The sentence with which a user is refused what their role does not allow. */
async function assertRefused(answer: Promise<unknown>): Promise<string> {
  const { message, data } = await refusal(answer);
  assert.equal(data.code, "NotAuthorized", message);
  return message;
}

describe("several users of one team", () => {
  it("keeps roles across hosts, and refuses what a role does not allow before anything is changed", async () => {
    using scratch = new Scratch();
    const storagePath = join(scratch.path, "store");
    {
      await using host = await HostClient.start({ storagePath, user: ANN });
      const { chair, people } = await host.send(TeamOpen, { teamId, definition });
      assert.deepEqual([chair, people], [undefined, undefined]);
      await host.send(TeamRun, { teamId, task: "one" });
      const { events } = await host.send(TeamEvents, { teamId, types: ["run/started", "role/changed"] });
      assert.deepEqual(
        events.map((event) => [event.type, "by" in event && event.by]),
        [["run/started", "ann"]],
      );
    }
    {
      await using host = await HostClient.start({ storagePath, user: BOB });
      const { people, lastSeq } = await host.send(TeamOpen, { teamId });
      assert.deepEqual(people, [
        { id: "ann", name: "ann", role: "chair" },
        { ...BOB, role: "member" },
      ]);
      const sentence = "Only the chair of this team, ann, may delete it; ask ann to do it, or for the chair.";
      assert.equal(await assertRefused(host.send(TeamDelete, { teamId })), sentence);
      await assertRefused(host.send(TeamReset, { teamId }));
      await assertRefused(host.send(TeamInterrupt, { teamId, severity: "reset" }));
      await assertRefused(
        host.send(TeamOpen, { teamId, definition: roundRobin({ names: ["one", "two"], maxTurns: 2 }) }),
      );
      await assertRefused(host.send(TeamSetRole, { teamId, user: "bob", role: "observer" }));
      assert.equal((await host.send(TeamInspect, { teamId })).lastSeq, lastSeq);
      await host.send(TeamRun, { teamId, task: "two" });
      await host.send(TeamSendUserMessage, { teamId, to: "one", messages: "three" });
    }
    {
      await using host = await HostClient.start({ storagePath, user: ANN });
      const { people = [], thread } = await host.send(TeamOpen, { teamId });
      assert.equal(people[0]?.name, ANN.name);
      assert.deepEqual(
        thread.map(({ source, content }) => `${source}: ${String(content)}`),
        ["ann: one", "one: one speaks", "bob: two", "two: two speaks", "bob: three", "one: one answers"],
      );
      await host.send(TeamSetRole, { teamId, user: "bob", role: "observer" });
    }
    {
      await using host = await HostClient.start({ storagePath, user: BOB });
      await host.send(TeamOpen, { teamId });
      const message = await assertRefused(host.send(TeamRun, { teamId, task: "four" }));
      assert.equal(message, "You observe this team and may not run it; ask its chair, Ann Roe, to make you a member.");
      await assertRefused(host.send(TeamSetRole, { teamId, user: "bob", role: "chair" }));
    }
  });

  it("lets a member take the chair of a user who is not there, and says so in the event", async () => {
    using scratch = new Scratch();
    const storagePath = join(scratch.path, "store");
    {
      await using host = await HostClient.start({ storagePath, user: ANN });
      await host.send(TeamOpen, { teamId, definition });
      await host.send(TeamRun, { teamId, task: "one" });
    }
    {
      await using host = await HostClient.start({ storagePath, user: BOB });
      await host.send(TeamOpen, { teamId });
      const { chair, people } = await host.send(TeamSetRole, { teamId, user: "bob", role: "chair" });
      assert.deepEqual([chair, people?.map(({ role }) => role)], ["bob", ["member", "chair"]]);
      const { events } = await host.send(TeamEvents, { teamId, types: ["role/changed"] });
      const last = events.at(-1);
      assert.ok(last?.type === "role/changed" && last.taken && last.by === "bob");
      await host.send(TeamDelete, { teamId });
    }
  });

  it("tells who answers a call that another user has decided on, also in another host", async () => {
    using scratch = new Scratch();
    const storagePath = join(scratch.path, "store");
    let ref = "";
    {
      await using host = await HostClient.start({ storagePath, user: ANN });
      await host.send(ToolsRegister, { tools: [pay] });
      await host.send(TeamOpen, { teamId, definition: paying });
      await host.send(TeamRun, { teamId, task: "go" });
      ref = (await host.send(TeamInspect, { teamId })).pendingTools[0]?.ref ?? "";
      await host.send(TeamResolveTools, { teamId, deny: [{ ref }] });
    }
    await using host = await HostClient.start({ storagePath, user: BOB });
    await host.send(TeamOpen, { teamId });
    const { message, data } = await refusal(host.send(TeamResolveTools, { teamId, restart: [{ ref }] }));
    assert.deepEqual([message, data.code], ["ann has already denied this call.", "InvalidResume"]);
  });

  it("runs a call once two users have approved the same, in hosts that come after each other", async () => {
    using scratch = new Scratch();
    const storagePath = join(scratch.path, "store");
    let runs = 0;
    const onToolCall = () => {
      runs++;
      return { output: "paid" };
    };
    let ref = "";
    {
      await using host = await HostClient.start({ storagePath, user: ANN, onToolCall });
      await host.send(ToolsRegister, { tools: [pay] });
      await host.send(TeamOpen, { teamId, definition: { ...paying, approvals: { required: 2 } } });
      await host.send(TeamRun, { teamId, task: "go" });
      const [call] = (await host.send(TeamInspect, { teamId })).pendingTools;
      ref = call?.ref ?? "";
      assert.equal(call?.required, 2);
      assert.deepEqual(await host.send(TeamResolveTools, { teamId, restart: [{ ref }] }), { remaining: [ref] });
      const again = await refusal(host.send(TeamResolveTools, { teamId, restart: [{ ref }] }));
      assert.equal(again.message, "You have already approved this call.");
    }
    await using host = await HostClient.start({ storagePath, user: BOB, onToolCall });
    await host.send(ToolsRegister, { tools: [pay] });
    const [call] = (await host.send(TeamOpen, { teamId })).pendingTools;
    assert.deepEqual(
      call?.approvals?.map(({ by }) => by),
      ["ann"],
    );
    assert.equal(runs, 0);
    await assertRefused(host.send(TeamSetApprovers, { teamId, required: 1 }));
    const { remaining } = await host.send(TeamResolveTools, { teamId, restart: [{ ref }] });
    assert.deepEqual([remaining, runs], [[], 1]);
  });
});
