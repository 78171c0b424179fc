import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  TeamDelete,
  TeamEvents,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamRun,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { beginLongRun } from "./harness/long-run.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

describe("a host that is killed", () => {
  it("leaves no file of its own behind once another host has started", async () => {
    using scratch = new Scratch();
    const options = { storagePath: scratch.path };
    const files = (): string[] => readdirSync(join(scratch.path, "hosts"));
    const definition = roundRobin({ maxTurns: 1 });
    await using first = await HostClient.start(options);
    await first.send(TeamOpen, { teamId: "t", definition });
    await first.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(files().length, 1);
    await first.kill();
    await using second = await HostClient.start(options);
    await second.send(TeamRun, { teamId: "t" });
    assert.equal(files().length, 1);
    await second.shutdown();
    assert.deepEqual(files(), []);
  });
});

describe("two hosts with one storage folder", () => {
  it("a team that one runs is TeamBusy for the other, which sees it run", async () => {
    using scratch = new Scratch();
    await using endpoint = await FakeEndpoint.start();
    const options = { storagePath: scratch.path };
    await using first = await HostClient.start(options);
    await using second = await HostClient.start(options);
    await beginLongRun(first, endpoint);
    assert.equal((await second.send(TeamOpen, { teamId: "t" })).status, "running");
    const requests: readonly (readonly [string, object])[] = [
      ["team/run", {}],
      ["team/sendUserMessage", { to: "ann", messages: "hi" }],
      ["team/resolveTools", { deny: [{ ref: "x" }] }],
      ["team/reset", {}],
      ["team/saveState", {}],
      ["team/loadState", { state: {} }],
      ["team/delete", {}],
      ["team/interrupt", {}],
      ["team/stop", {}],
    ];
    for (const [method, params] of requests) {
      const { data, message } = await refusal(second.sendRaw(method, { teamId: "t", ...params }));
      assert.deepEqual([method, data.code], [method, "TeamBusy"]);
      assert.match(message, /another Gavel host/);
    }
    assert.equal((await first.send(TeamInspect, { teamId: "t" })).status, "running");
  });

  it("when one is done the other continues from there, and its client is told what it missed", async () => {
    using scratch = new Scratch();
    const options = { storagePath: scratch.path };
    await using first = await HostClient.start(options);
    await using second = await HostClient.start(options);
    const definition = roundRobin({ names: ["ann", "bob", "cid"], maxTurns: 1 });
    await first.send(TeamOpen, { teamId: "t", definition });
    await second.send(TeamOpen, { teamId: "t" });
    await first.send(TeamRun, { teamId: "t", task: "go" });
    assert.deepEqual(
      (await second.send(TeamRun, { teamId: "t" })).messages.map(({ source }) => source),
      ["bob"],
    );
    assert.deepEqual(
      (await first.send(TeamRun, { teamId: "t" })).messages.map(({ source }) => source),
      ["cid"],
    );
    const { events } = await first.send(TeamEvents, { teamId: "t" });
    assert.deepEqual(
      first.eventsOf("t").filter((event) => "seq" in event),
      events,
    );
    assert.equal((await second.send(TeamInspect, { teamId: "t" })).threadLength, 4);
  });

  it("what one deletes is gone for the other", async () => {
    using scratch = new Scratch();
    const options = { storagePath: scratch.path };
    await using first = await HostClient.start(options);
    await using second = await HostClient.start(options);
    await first.send(TeamOpen, { teamId: "t", definition: roundRobin() });
    await second.send(TeamOpen, { teamId: "t" });
    await first.send(TeamDelete, { teamId: "t" });
    assert.equal((await refusal(second.send(TeamRun, { teamId: "t", task: "go" }))).data.code, "UnknownTeam");
    assert.equal((await refusal(second.send(TeamInspect, { teamId: "t" }))).data.code, "UnknownTeam");
  });
});

describe("the end of a host", () => {
  it("by shutdown interrupts what runs, with all kept", async () => {
    using scratch = new Scratch();
    await using endpoint = await FakeEndpoint.start();
    const options = { storagePath: scratch.path };
    await using first = await HostClient.start(options);
    const { run } = await beginLongRun(first, endpoint);
    assert.equal(await first.shutdown(), 0);
    const { stopReason, messages } = await run;
    assert.deepEqual([stopReason, messages.at(-1)?.partial], ["USER_INTERRUPT", true]);
    await using second = await HostClient.start(options);
    const { status, thread } = await second.send(TeamOpen, { teamId: "t" });
    assert.deepEqual([status, thread.at(-1)?.partial], ["paused", true]);
  });

  it("a client that is gone in mid-stream leaves no team busy", async () => {
    using scratch = new Scratch();
    await using endpoint = await FakeEndpoint.start();
    const options = { storagePath: scratch.path };
    await using first = await HostClient.start(options);
    await beginLongRun(first, endpoint);
    first.process.stdin?.destroy();
    first.process.stdout?.destroy();
    await using second = await HostClient.start(options);
    const gone = new Promise((resolve) => first.process.once("exit", resolve));
    if (first.process.exitCode === null) await gone;
    const receipt = await second.send(TeamInterrupt, { teamId: "t" });
    assert.equal(receipt.wasRunning, false);
    assert.equal((await second.send(TeamInspect, { teamId: "t" })).status, "paused");
  });
});

describe("the files of a store", { skip: process.platform === "win32" && "Windows has no such modes" }, () => {
  for (const umask of [0o000, 0o022, 0o277]) {
    it(`are for the user alone, and an older store becomes so when it is opened: umask ${umask.toString(8)}`, async (t) => {
      using scratch = new Scratch();
      const storagePath = join(scratch.path, "store");
      const before = process.umask(umask);
      t.after(() => process.umask(before));
      // Killed while it runs, so that every kind of file is there.
      const useAndKill = async (): Promise<void> => {
        await using host = await HostClient.start({ storagePath });
        await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ maxTurns: 1 }) });
        await host.send(TeamRun, { teamId: "t", task: "go" });
        await host.kill();
      };
      await useAndKill();
      const files = ["gavel.db", "gavel.db-shm", "gavel.db-use", "gavel.db-wal"];
      const expected = ["700 .", ...files.map((name) => `600 ${name}`), "700 hosts"];
      assert.deepEqual(modesIn(storagePath), expected);
      for (const name of files) chmodSync(join(storagePath, name), 0o666);
      for (const name of [".", "hosts"]) chmodSync(join(storagePath, name), 0o777);
      await useAndKill();
      assert.deepEqual(modesIn(storagePath), expected);
    });
  }

  it("the lock that shows that a host is alive is one of them", async () => {
    using scratch = new Scratch();
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start({ storagePath: scratch.path });
    await beginLongRun(host, endpoint);
    const [lock, ...others] = modesIn(join(scratch.path, "hosts")).slice(1);
    assert.match(lock ?? "", /^600 .*\.lock$/);
    assert.deepEqual(others, []);
  });
});

/** The permissions of a folder and of everything in it, as `MODE NAME`. */
function modesIn(folder: string): readonly string[] {
  const mode = (name: string): string => (statSync(join(folder, name)).mode & 0o777).toString(8);
  return [".", ...readdirSync(folder).sort()].map((name) => `${mode(name)} ${name}`);
}

describe("a store that cannot be used", () => {
  it("is named, is left as it was, and the host lives", async () => {
    using scratch = new Scratch();
    const path = join(scratch.path, "gavel.db");
    const rubbish = "This is not a database. ".repeat(500);
    writeFileSync(path, rubbish);
    await using host = await HostClient.start({ storagePath: scratch.path });
    for (let attempt = 0; attempt < 2; attempt++) {
      const { code, message } = await refusal(host.send(TeamOpen, { definition: roundRobin() }));
      assert.equal(code, -32008);
      assert.ok(message.includes(path));
      assert.match(message, /damaged.*move it away/);
    }
    assert.equal(readFileSync(path, "utf8"), rubbish);
  });
});
