import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { ModelDefinition } from "../../shared/contract/definition.ts";
import {
  EditsUndo,
  TeamCheckpoints,
  TeamEvents,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamResolveTools,
  TeamRewind,
  TeamRun,
  TeamSaveState,
  TeamSendUserMessage,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { Scratch } from "./harness/scratch.ts";
import { openai, roundRobin } from "./harness/teams.ts";

const definition = roundRobin({ maxTurns: 1 });
const said = async (host: HostClient) =>
  (await host.send(TeamInspect, { teamId: "t" })).thread.map(({ source, content }) => `${source}: ${String(content)}`);
const points = async (host: HostClient) => (await host.send(TeamCheckpoints, { teamId: "t" })).checkpoints;

describe("team/rewind", () => {
  it("takes the team back to before a message, goes on from there, and is undone by another, across restarts", async () => {
    using scratch = new Scratch();
    const storagePath = join(scratch.path, "store");
    let whole: unknown;
    {
      await using host = await HostClient.start({ storagePath });
      await host.send(TeamOpen, { teamId: "t", definition });
      await host.send(TeamRun, { teamId: "t", task: "one" });
      const then = await host.send(TeamSaveState, { teamId: "t" });
      await host.send(TeamRun, { teamId: "t", task: "two" });
      await host.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages: "Why?" });
      const found = await points(host);
      assert.deepEqual(
        found.map(({ text }) => text),
        ["Why?", "two", "one"],
      );
      whole = await host.send(TeamSaveState, { teamId: "t" });
      const { team, from } = await host.send(TeamRewind, { teamId: "t", seq: found[1]?.seq ?? 0 });
      assert.deepEqual(
        team.thread.map(({ content }) => content),
        ["one", "ann speaks"],
      );
      assert.deepEqual(await host.send(TeamSaveState, { teamId: "t" }), then);
      assert.deepEqual(
        (await points(host)).map(({ seq, text }) => text ?? seq === from),
        [true, "one"],
      );
      await host.send(TeamRun, { teamId: "t", task: "other" });
      assert.deepEqual(await said(host), ["user: one", "ann: ann speaks", "user: other", "bob: bob speaks"]);
    }
    await using host = await HostClient.start({ storagePath });
    await host.send(TeamOpen, { teamId: "t" });
    const before = (await points(host)).find(({ text }) => text === undefined);
    await host.send(TeamRewind, { teamId: "t", seq: before?.seq ?? 0 });
    assert.deepEqual(await host.send(TeamSaveState, { teamId: "t" }), whole);
    assert.deepEqual(
      (await points(host)).map(({ text }) => text),
      [undefined, "Why?", "two", "one"],
    );
    const last = (await points(host)).find(({ text }) => text === "one");
    await host.send(TeamRewind, { teamId: "t", seq: last?.seq ?? 0 });
    assert.deepEqual(await said(host), []);
    const { events } = await host.send(TeamEvents, { teamId: "t" });
    assert.ok(events.every((event, index) => "seq" in event && event.seq === index + 1));
  });

  it("with files undone after the same event brings both back, but not what the user wrote", async () => {
    using scratch = new Scratch();
    const folder = join(scratch.path, "workspace");
    mkdirSync(folder);
    const file = join(folder, "a.txt");
    writeFileSync(file, "one\ntwo\nthree\n");
    await using host = await HostClient.start({ folders: [pathToFileURL(folder).href] });
    const edit = (old: string, fresh: string) => ({ tool: "editFile", input: { path: "a.txt", old, new: fresh } });
    const lines = [{ calls: [edit("one", "1")] }, "done", { calls: [edit("three", "3")] }, "done"];
    const editing = roundRobin({
      names: ["ann"],
      model: { provider: "practice", pace: 0, lines: { ann: lines } },
      maxTurns: 1,
      participants: { tools: ["editFile"] },
    });
    await host.send(TeamOpen, { teamId: "t", definition: editing });
    for (const task of ["first", "second"]) {
      await host.send(TeamRun, { teamId: "t", task });
      const { pendingTools } = await host.send(TeamInspect, { teamId: "t" });
      await host.send(TeamResolveTools, { teamId: "t", restart: pendingTools.map(({ ref }) => ({ ref })) });
    }
    writeFileSync(file, "1\ntwo\nmine\n3\n");
    const seq = (await points(host)).find(({ text }) => text === "second")?.seq ?? 0;
    const { undoId } = await host.send(EditsUndo, { teamId: "t", after: seq });
    const { from } = await host.send(TeamRewind, { teamId: "t", seq });
    assert.equal(readFileSync(file, "utf8"), "1\ntwo\nmine\nthree\n");
    assert.deepEqual(await said(host), ["user: first", "ann: done"]);
    await host.send(EditsUndo, { teamId: "t", turnId: undoId ?? "" });
    await host.send(TeamRewind, { teamId: "t", seq: from });
    assert.equal(readFileSync(file, "utf8"), "1\ntwo\nmine\n3\n");
    assert.equal((await said(host)).length, 4);
  });

  it("leaves what was spent spent: of the team and of each participant, also when it is undone", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.says("ann", "said");
    await using host = await HostClient.start();
    const model = { ...openai(endpoint.baseUrl), price: { prompt: 1000, completion: 1000 } };
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ names: ["ann"], model, maxTurns: 1 }) });
    for (const task of ["one", "two"]) await host.send(TeamRun, { teamId: "t", task });
    const spent = async () => {
      const { usage, participants } = await host.send(TeamInspect, { teamId: "t" });
      return { ...usage, ann: participants[0]?.usage?.total };
    };
    const whole = await spent();
    assert.ok(whole.total > 0 && (whole.cost ?? 0) > 0);
    const seq = (await points(host)).find(({ text }) => text === "two")?.seq ?? 0;
    const { team, from } = await host.send(TeamRewind, { teamId: "t", seq });
    assert.equal(team.thread.length, 2);
    assert.deepEqual(await spent(), whole);
    const other = await host.send(TeamRun, { teamId: "t", task: "other" });
    await host.send(TeamRewind, { teamId: "t", seq: from });
    const { total, ann } = await spent();
    assert.deepEqual([total, ann], [whole.total + other.usage.total, whole.total + other.usage.total]);
  });

  it("is refused during a run, for a point within one, for no event, and where a call has been decided since", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ folders: [pathToFileURL(scratch.path).href] });
    const model: ModelDefinition = { provider: "practice", pace: 20, lines: { ann: ["word ".repeat(2000)] } };
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ names: ["ann"], model, maxTurns: 1 }) });
    const running = host.send(TeamRun, { teamId: "t", task: "one" });
    await host.event("t", ({ type }) => type === "message/started");
    assert.equal((await refusal(host.send(TeamRewind, { teamId: "t", seq: 0 }))).data.code, "TeamBusy");
    await host.send(TeamInterrupt, { teamId: "t" });
    await running;
    assert.match((await refusal(host.send(TeamRewind, { teamId: "t", seq: 1 }))).message, /a run was in progress then/);
    assert.match((await refusal(host.send(TeamRewind, { teamId: "t", seq: 99 }))).message, /no event with this number/);
    const asking = roundRobin({
      names: ["ann"],
      model: {
        provider: "practice",
        pace: 0,
        lines: { ann: [{ calls: [{ tool: "writeFile", input: { path: "a", content: "" } }] }, "done"] },
      },
      participants: { tools: ["writeFile"] },
      maxTurns: 1,
    });
    await host.send(TeamOpen, { teamId: "a", definition: asking });
    await host.send(TeamRun, { teamId: "a", task: "go" });
    const { lastSeq: seq, pendingTools } = await host.send(TeamInspect, { teamId: "a" });
    await host.send(TeamResolveTools, { teamId: "a", deny: pendingTools.map(({ ref }) => ({ ref })) });
    const { message } = await refusal(host.send(TeamRewind, { teamId: "a", seq }));
    assert.match(message, /has been decided since/);
  });
});
