import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import {
  StorageResolve,
  TeamDelete,
  TeamEvents,
  TeamFork,
  TeamInspect,
  TeamInterrupt,
  TeamList,
  TeamOpen,
  TeamResolveTools,
  TeamRun,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import type { TaskResult } from "../../shared/contract/team.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { SlowEndpoint } from "./harness/slow-endpoint.ts";
import { openai, roundRobin } from "./harness/teams.ts";

const TEAMS = Array.from({ length: 8 }, (_, at) => `t${at}`);

/** Eight teams, each of whose first speakers has said a word and hangs. */
async function eightRunning(host: HostClient, endpoint: SlowEndpoint) {
  const definition = roundRobin({ names: ["ann"], model: openai(endpoint.baseUrl), maxTurns: 1 });
  const runs = TEAMS.map(async (teamId) => {
    await host.send(TeamOpen, { teamId, definition });
    const run = host.send(TeamRun, { teamId, task: "go" });
    run.catch(() => {});
    await host.streamed(teamId, 5);
    return run;
  });
  // A test may end before all runs have.
  for (const run of runs) run.catch(() => {});
  await endpoint.requests(TEAMS.length);
  await Promise.all(TEAMS.map((teamId) => host.streamed(teamId, 5)));
  return runs;
}

/** What another program does that writes a large transaction, or makes a backup. */
function lock(folder: string): Disposable {
  const database = new DatabaseSync(join(folder, "gavel.db"));
  database.exec("BEGIN EXCLUSIVE");
  return { [Symbol.dispose]: () => database.close() };
}

/** Lets the process write no file beyond the size that its files have now, as on a full disk; -1 for any size. */
function limitFiles(host: HostClient, folder: string): () => void {
  const sizes = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && !entry.name.endsWith("-shm") ? [statSync(join(folder, entry.name)).size] : [],
  );
  const limit = (size: string): void => {
    execFileSync("prlimit", ["--pid", String(host.process.pid), `--fsize=${size}:`]);
  };
  limit(String(Math.max(...sizes)));
  return () => limit("unlimited");
}

const onLinux = { skip: process.platform !== "linux" && "needs prlimit" };
const seqs = (host: HostClient, teamId: string): number[] =>
  host.eventsOf(teamId).flatMap((event) => ("seq" in event ? [event.seq] : []));

describe("another program that locks the store", () => {
  it("stops no request: eight teams are interrupted at once, and their receipts come when their events are stored", async () => {
    using scratch = new Scratch();
    await using endpoint = await SlowEndpoint.start();
    await using host = await HostClient.start({ storagePath: scratch.path, onQuestion: () => undefined });
    const runs = await eightRunning(host, endpoint);
    const order: string[] = [];
    const receipts: Promise<unknown>[] = [];
    {
      using _ = lock(scratch.path);
      for (const teamId of TEAMS) {
        const receipt = host.send(TeamInterrupt, { teamId });
        receipts.push(receipt.then(() => order.push("receipt")));
      }
      // Every request to a model is closed, and others are answered, while the store is locked.
      await endpoint.requests(0);
      order.push("all stopped");
      assert.equal((await host.send(TeamList, {})).teams.length, TEAMS.length);
      order.push("list");
    }
    await Promise.all([...receipts, ...runs]);
    assert.deepEqual(order.slice(0, 2), ["all stopped", "list"]);
    await Promise.all(TEAMS.map((teamId) => host.event(teamId, ({ type }) => type === "interrupt/completed")));
    for (const teamId of TEAMS) {
      const { events } = await host.send(TeamEvents, { teamId });
      assert.deepEqual(
        host.eventsOf(teamId).filter((event) => "seq" in event),
        events,
      );
      const { status, thread } = await host.send(TeamInspect, { teamId });
      assert.deepEqual([status, thread.at(-1)?.content], ["paused", "thinking "]);
    }
  });
});

describe("another program that locks the store while the host shuts down", () => {
  it("delays the results of the runs, which are those of an interrupt", async () => {
    using scratch = new Scratch();
    await using endpoint = await SlowEndpoint.start();
    await using host = await HostClient.start({ storagePath: scratch.path });
    const runs = await eightRunning(host, endpoint);
    let shutdown: Promise<unknown>;
    {
      using _ = lock(scratch.path);
      shutdown = host.connection.sendRequest("shutdown");
      // Each refusal takes the host at least one turn of its event loop.
      const interrupted = (): number =>
        host.logs.filter(({ message }) => /interrupt \S+ completed/.test(message)).length;
      for (let turns = 0; turns < 10; turns += interrupted() < TEAMS.length ? 0 : 1) {
        await assert.rejects(host.send(TeamList, {}), /The host has shut down/);
      }
    }
    for (const run of runs) assert.equal((await run).stopReason, "USER_INTERRUPT");
    await shutdown;
  });
});

describe("a run that waits for another program while the host shuts down", () => {
  it("is interrupted as it begins", async () => {
    using scratch = new Scratch();
    await using endpoint = await SlowEndpoint.start();
    await using host = await HostClient.start({ storagePath: scratch.path });
    const definition = roundRobin({ names: ["ann"], model: openai(endpoint.baseUrl), maxTurns: 1 });
    await host.send(TeamOpen, { teamId: "t", definition });
    let run: Promise<TaskResult>;
    let shutdown: Promise<unknown>;
    {
      using _ = lock(scratch.path);
      run = host.send(TeamRun, { teamId: "t", task: "go" });
      shutdown = host.connection.sendRequest("shutdown");
      await assert.rejects(host.send(TeamList, {}), /The host has shut down/);
    }
    assert.equal((await run).stopReason, "USER_INTERRUPT");
    await shutdown;
  });
});

describe("a storage that cannot be written", () => {
  for (const [what, how] of [
    ["a full disk", { fail: limitFiles, message: /gavel\.db .*disk/, on: onLinux }],
    ["a folder that was deleted", { fail: moveAway, message: /gavel\.db was deleted/, on: onLinux }],
    ["a log that was deleted", { fail: moveLogAway, message: /gavel\.db-wal was deleted/, on: onLinux }],
  ] as const) {
    it(
      `${what}: eight runs pause, which is told once, and the teams go on when it can be written again`,
      how.on,
      async () => {
        using scratch = new Scratch();
        await using endpoint = await SlowEndpoint.start();
        const questions: string[] = [];
        const storagePath = join(scratch.path, "storage");
        await using host = await HostClient.start({
          storagePath,
          onQuestion: (message, actions) => {
            questions.push(message);
            assert.deepEqual(actions, ["Try Again", "Continue Without Saving"]);
            return undefined;
          },
        });
        const runs = await eightRunning(host, endpoint);
        const repair = how.fail(host, storagePath);
        endpoint.say("and more ".repeat(20_000));

        for (const run of runs) {
          const { status } = await run;
          assert.deepEqual([status.code, status.reason], ["error", "StorageError"]);
          assert.match(status.message ?? "", how.message);
        }
        assert.equal(questions.length, 1);
        assert.match(questions[0] ?? "", how.message);
        assert.deepEqual([host.storage, host.shown], [[{ state: "failing", message: questions[0] }], []]);
        assert.equal((await refusal(host.send(TeamRun, { teamId: "t0" }))).data.code, "StorageError");
        for (const teamId of TEAMS) assert.equal((await host.send(TeamInspect, { teamId })).status, "paused");
        assert.equal(questions.length, 1);

        repair();
        assert.deepEqual(await host.send(StorageResolve, { action: "retry" }), { state: "saving" });
        for (const teamId of TEAMS) {
          await host.event(teamId, ({ type }) => type === "run/ended");
          const { events, lastSeq } = await host.send(TeamEvents, { teamId });
          const stored = events.flatMap((event) => ("seq" in event ? [event.seq] : []));
          assert.deepEqual(seqs(host, teamId), stored);
          assert.equal(seqs(host, teamId).at(-1), lastSeq);
        }
        const resumed = TEAMS.map((teamId) => host.send(TeamRun, { teamId }));
        await endpoint.requests(TEAMS.length);
        endpoint.finish("the end");
        for (const run of resumed) assert.equal((await run).status.code, "success");
      },
    );
  }

  it("is tried again without being asked for", onLinux, async () => {
    using scratch = new Scratch();
    await using endpoint = await SlowEndpoint.start();
    const storagePath = join(scratch.path, "storage");
    await using host = await HostClient.start({ storagePath, onQuestion: () => undefined });
    const [run] = await eightRunning(host, endpoint);
    const repair = moveAway(host, storagePath);
    endpoint.say("more");
    assert.equal((await run)?.status.code, "error");
    repair();
    await host.storageIs("saving");
    await host.event("t0", ({ type }) => type === "run/ended");
  });

  it("fails a run whose end could not be stored, as its result would be lost with the host", onLinux, async () => {
    using scratch = new Scratch();
    await using endpoint = await SlowEndpoint.start();
    const storagePath = join(scratch.path, "storage");
    await using host = await HostClient.start({ storagePath, onQuestion: () => undefined });
    const runs = await eightRunning(host, endpoint);
    const repair = moveAway(host, storagePath);
    endpoint.finish("the end");
    for (const run of runs) assert.equal((await run).status.reason, "StorageError");
    assert.ok(!host.eventsOf("t0").some(({ type }) => type === "run/ended"));
    repair();
    await host.send(StorageResolve, { action: "retry" });
    const end = await host.event("t0", ({ type }) => type === "run/ended");
    assert.ok(end.type === "run/ended");
    const { thread } = await host.send(TeamInspect, { teamId: "t0" });
    const expected = end.status.code === "success" ? [undefined, "thinking the end"] : [true, "thinking "];
    assert.deepEqual([thread.at(-1)?.partial, thread.at(-1)?.content], expected);
  });

  it("with a client that cannot be asked is told as a message", onLinux, async () => {
    using scratch = new Scratch();
    await using endpoint = await SlowEndpoint.start();
    const storagePath = join(scratch.path, "storage");
    await using host = await HostClient.start({ storagePath });
    const runs = await eightRunning(host, endpoint);
    moveAway(host, storagePath);
    endpoint.say("more");
    await Promise.all(runs);
    await host.send(TeamList, {});
    assert.equal(host.shown.length, 1);
  });
});

describe("a team whose run has ended when the storage fails", () => {
  it("can be run in another window when the storage works again", async () => {
    using scratch = new Scratch();
    await using one = await HostClient.start({ storagePath: scratch.path, onQuestion: () => undefined });
    await using two = await HostClient.start({ storagePath: scratch.path });
    const definition = roundRobin({ names: ["ann"], maxTurns: 1 });
    await one.send(TeamOpen, { teamId: "t", definition });
    await two.send(TeamOpen, { teamId: "t" });
    // The end of the run is stored, and what follows it is not.
    const database = new DatabaseSync(join(scratch.path, "gavel.db"));
    database.exec("CREATE TRIGGER fail BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'failed'); END");
    assert.equal((await one.send(TeamRun, { teamId: "t", task: "go" })).status.code, "success");
    // What is stored now is stored after what followed the run.
    await one.send(TeamOpen, { teamId: "other", definition });
    assert.equal((await refusal(two.send(TeamRun, { teamId: "t", task: "go" }))).data.code, "TeamBusy");
    database.exec("DROP TRIGGER fail");
    database.close();

    assert.deepEqual(await one.send(StorageResolve, { action: "retry" }), { state: "saving" });
    await one.send(TeamOpen, { teamId: "third", definition });
    assert.equal((await two.send(TeamRun, { teamId: "t", task: "go" })).status.code, "success");
    assert.deepEqual(
      one.storage.map(({ state }) => state),
      ["failing", "saving"],
    );
  });
});

describe("a user who continues without saving", () => {
  it(
    "has the teams go on, with a question before every call that may change something, until all is stored",
    onLinux,
    async () => {
      using scratch = new Scratch();
      const storagePath = join(scratch.path, "storage");
      const calls: string[] = [];
      await using host = await HostClient.start({
        storagePath,
        onQuestion: () => "Continue Without Saving",
        onToolCall: ({ name }) => {
          calls.push(name);
          return { output: "done" };
        },
      });
      const tool = { description: "", inputSchema: {} };
      await host.send(ToolsRegister, {
        tools: [
          { ...tool, name: "change" },
          { ...tool, name: "look", readOnly: true },
        ],
      });
      const lines = { ann: [{ calls: [{ tool: "look" }, { tool: "change" }] }, "done"] };
      const definition = roundRobin({
        names: ["ann"],
        model: { provider: "practice", pace: 0, lines },
        participants: { tools: ["look", "change"] },
        maxTurns: 1,
      });
      await host.send(TeamOpen, { teamId: "t", definition });
      const repair = moveAway(host, storagePath);
      // The first run finds out; by its end the user has decided.
      assert.equal((await refusal(host.send(TeamRun, { teamId: "t", task: "go" }))).data.code, "StorageError");
      await host.storageIs("unsaved");

      const { stopReason } = await host.send(TeamRun, { teamId: "t", task: "go" });
      assert.deepEqual([stopReason, calls], ["TOOL_INTERRUPT", ["look"]]);
      const { pendingTools } = await host.send(TeamInspect, { teamId: "t" });
      assert.match(pendingTools[0]?.reason ?? "", /not being saved/);
      const restart = pendingTools.map(({ ref }) => ({ ref }));
      const { result } = await host.send(TeamResolveTools, { teamId: "t", restart });
      assert.deepEqual([result?.status.code, calls], ["success", ["look", "change"]]);
      await host.event("t", (event) => event.type === "run/ended" && event.status.code === "success");
      const durable = host.eventsOf("t").filter((event) => "seq" in event);
      assert.deepEqual((await host.send(TeamEvents, { teamId: "t" })).events, durable);

      repair();
      await host.send(StorageResolve, { action: "retry" });
      assert.deepEqual(
        host.storage.map(({ state }) => state),
        ["failing", "unsaved", "saving"],
      );
      await host.kill();
      await using next = await HostClient.start({ storagePath });
      const { thread, status } = await next.send(TeamOpen, { teamId: "t" });
      assert.deepEqual([thread.at(-1)?.content, status], ["done", "idle"]);
    },
  );
});

describe("another definition, and the end of a team, of a user who continues without saving", onLinux, () => {
  const speaking = (line: string) =>
    roundRobin({
      names: ["ann"],
      model: { provider: "practice", pace: 0, lines: { ann: [line, line, line] } },
      maxTurns: 1,
    });

  /** A host with the team `t`, of whose two runs the second is not stored. */
  async function startUnsaved(storagePath: string) {
    const host = await HostClient.start({ storagePath, onQuestion: () => undefined });
    await host.send(TeamOpen, { teamId: "t", definition: speaking("one") });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const repair = moveAway(host, storagePath);
    await refusal(host.send(TeamRun, { teamId: "t", task: "more" }));
    await host.send(StorageResolve, { action: "continueWithoutSaving" });
    assert.equal((await host.send(TeamRun, { teamId: "t", task: "more" })).status.code, "success");
    return { host, repair, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
  }

  it("the definition is replaced as the storage works again, and nothing that was told is lost", async () => {
    using scratch = new Scratch();
    const storagePath = join(scratch.path, "storage");
    await using unsaved = await startUnsaved(storagePath);
    const { host, repair } = unsaved;
    const { thread } = await host.send(TeamInspect, { teamId: "t" });
    repair();
    const opened = await host.send(TeamOpen, { teamId: "t", definition: speaking("two") });
    assert.deepEqual(opened.thread, thread);
    await host.send(TeamRun, { teamId: "t", task: "again" });
    const now = await host.send(TeamInspect, { teamId: "t" });
    assert.equal(now.thread.at(-1)?.content, "two");
    await host.kill();
    await using next = await HostClient.start({ storagePath });
    assert.deepEqual((await next.send(TeamOpen, { teamId: "t" })).thread, now.thread);
  });

  it("both wait for the storage, and say so; a team that was never stored is deleted at once", async () => {
    using scratch = new Scratch();
    const storagePath = join(scratch.path, "storage");
    await using unsaved = await startUnsaved(storagePath);
    const { host, repair } = unsaved;
    const cause = /nothing can be saved at present: .*gavel\.db was deleted or replaced.*; put it back/;
    const kept = await refusal(host.send(TeamOpen, { teamId: "t", definition: speaking("two") }));
    assert.equal(kept.data.code, "StorageError");
    assert.match(kept.message, /^Team "t" keeps its definition, as /);
    assert.match(kept.message, cause);
    const refused = await refusal(host.send(TeamDelete, { teamId: "t" }));
    assert.match(refused.message, /^Team "t" was not deleted, as /);
    assert.match(refused.message, cause);
    await host.send(TeamOpen, { teamId: "new", definition: speaking("one") });
    await host.send(TeamRun, { teamId: "new", task: "go" });
    assert.equal(await host.send(TeamDelete, { teamId: "new" }), null);
    const listed = async () => (await host.send(TeamList, {})).teams.map(({ teamId }) => teamId);
    assert.deepEqual(await listed(), ["t"]);
    assert.equal((await refusal(host.send(TeamInspect, { teamId: "new" }))).data.code, "UnknownTeam");
    assert.equal((await host.send(TeamRun, { teamId: "t", task: "again" })).status.code, "success");

    repair();
    assert.deepEqual(await host.send(StorageResolve, { action: "retry" }), { state: "saving" });
    assert.deepEqual(await listed(), ["t"]);
    await host.send(TeamOpen, { teamId: "t", definition: speaking("two") });
    await host.send(TeamDelete, { teamId: "t" });
    assert.deepEqual(await listed(), []);
  });
});

// Root may write everything.
const asUser = process.getuid?.() === 0 ? { uid: 65_534 } : {};

/** Sets the permissions of a storage folder and of the files in it. */
function permit(folder: string, mode: number): void {
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), mode);
  chmodSync(folder, mode);
}

/** Leaves a store with a team, which nothing can be written to. */
async function leaveReadOnly(folder: string): Promise<void> {
  await using host = await HostClient.start({ storagePath: folder });
  const definition = roundRobin({ names: ["ann"], maxTurns: 1 });
  await host.send(TeamOpen, { teamId: "t", definition });
  await host.send(TeamRun, { teamId: "t", task: "go" });
  await host.shutdown();
  permit(folder, 0o555);
}

/** What a client is told of a team that was made while nothing could be saved, and what is stored of it later. */
async function useUnsaved(host: HostClient, storagePath: string, repair: () => void): Promise<void> {
  const definition = roundRobin({
    names: ["ann"],
    model: { provider: "practice", pace: 0, lines: { ann: ["one", "two", "three", "four"] } },
    maxTurns: 1,
  });
  assert.equal((await refusal(host.send(TeamOpen, { teamId: "new", definition }))).data.code, "StorageError");
  await host.send(StorageResolve, { action: "continueWithoutSaving" });
  const opened = await host.send(TeamOpen, { teamId: "new", definition });
  assert.deepEqual([opened.status, opened.threadLength], ["idle", 0]);
  for (const task of ["go", "more"])
    assert.equal((await host.send(TeamRun, { teamId: "new", task })).status.code, "success");
  const fork = await host.send(TeamFork, { teamId: "new", newTeamId: "copy" });
  assert.equal(fork.threadLength, 4);
  const shown = await host.send(TeamOpen, { teamId: "new", definition });
  assert.deepEqual(shown, await host.send(TeamInspect, { teamId: "new" }));
  const { events, lastSeq } = await host.send(TeamEvents, { teamId: "new" });
  const durable = host.eventsOf("new").filter((event) => "seq" in event);
  assert.deepEqual([events, lastSeq], [durable, shown.lastSeq]);
  const { teams } = await host.send(TeamList, {});
  assert.deepEqual(
    teams.filter(({ teamId }) => teamId !== "t").map(({ teamId, lastLine }) => [teamId, lastLine]),
    [
      ["copy", "two"],
      ["new", "two"],
    ],
  );

  repair();
  assert.deepEqual(await host.send(StorageResolve, { action: "retry" }), { state: "saving" });
  assert.equal((await host.send(TeamRun, { teamId: "new", task: "again" })).status.code, "success");
  const before = await host.send(TeamInspect, { teamId: "new" });
  await host.kill();
  await using next = await HostClient.start({ storagePath });
  const listed = (await next.send(TeamList, {})).teams.map(({ teamId }) => teamId);
  assert.deepEqual(listed.filter((teamId) => teamId !== "t").sort(), ["copy", "new"]);
  assert.deepEqual((await next.send(TeamOpen, { teamId: "new" })).thread, before.thread);
  assert.deepEqual((await next.send(TeamOpen, { teamId: "copy" })).thread, fork.thread);
  assert.equal((await next.send(TeamRun, { teamId: "new", task: "and again" })).status.code, "success");
}

describe("a new team of a user who continues without saving", onLinux, () => {
  it("works, and is stored when the storage can be written again", async () => {
    using scratch = new Scratch();
    const storagePath = join(scratch.path, "storage");
    await using host = await HostClient.start({ storagePath, onQuestion: () => undefined });
    await host.send(TeamList, {});
    await useUnsaved(host, storagePath, moveAway(host, storagePath));
  });

  it("works in a store that is read-only", async () => {
    using scratch = new Scratch();
    await leaveReadOnly(scratch.path);
    await using host = await HostClient.start({ ...asUser, storagePath: scratch.path, onQuestion: () => undefined });
    await useUnsaved(host, scratch.path, () => permit(scratch.path, 0o777));
  });
});

describe("a storage in which there was never a store that can be read", onLinux, () => {
  /** Makes a file that lies where the storage, or the store in it, should be; the returned function takes it away. */
  const obstacle = (path: string, content: string | undefined): (() => void) => {
    mkdirSync(dirname(path), { recursive: true });
    if (content === undefined) {
      const database = new DatabaseSync(path);
      database.exec("PRAGMA user_version = 9999");
      database.close();
    } else writeFileSync(path, content);
    return () => renameSync(path, `${path}-away`);
  };

  for (const [what, name, content, message] of [
    ["a file in the place of the folder", "storage", "", /a file has the same name; move the file away/],
    ["a file that is no store", "storage/gavel.db", "no store ".repeat(1_000), /gavel\.db is not a Gavel store/],
    ["a store of a newer version", "storage/gavel.db", undefined, /gavel\.db .*newer version/],
  ] as const) {
    it(`${what}: the user is asked once, can continue without saving, and all is stored when it has gone`, async () => {
      using scratch = new Scratch();
      const storagePath = join(scratch.path, "storage");
      const repair = obstacle(join(scratch.path, name), content);
      const questions: string[] = [];
      await using host = await HostClient.start({
        storagePath,
        onQuestion: (question) => {
          questions.push(question);
          return undefined;
        },
      });
      for (let times = 0; times < 2; times++) {
        const refused = await refusal(host.send(TeamList, {}));
        assert.equal(refused.data.code, "StorageError");
        assert.match(refused.message, message);
      }
      await useUnsaved(host, storagePath, repair);
      assert.equal(questions.length, 1);
      assert.match(questions[0] ?? "", message);
      assert.deepEqual(
        host.storage.map(({ state }) => state),
        ["failing", "unsaved", "saving"],
      );
    });
  }
});

describe("a store on a disk that is read-only", () => {
  it("is read as it is written when it can be written again", onLinux, async () => {
    using scratch = new Scratch();
    await leaveReadOnly(scratch.path);
    await using host = await HostClient.start({ ...asUser, storagePath: scratch.path, onQuestion: () => undefined });
    const { thread } = await host.send(TeamOpen, { teamId: "t" });
    assert.equal((await refusal(host.send(TeamRun, { teamId: "t", task: "more" }))).data.code, "StorageError");
    permit(scratch.path, 0o777);
    assert.deepEqual(await host.send(StorageResolve, { action: "retry" }), { state: "saving" });
    await host.send(TeamRun, { teamId: "t", task: "more" });
    const { events, lastSeq } = await host.send(TeamEvents, { teamId: "t" });
    const ends = events.filter(({ type }) => type === "run/ended");
    assert.deepEqual([ends.length, events.at(-1)], [2, { ...host.eventsOf("t").at(-1), seq: lastSeq }]);
    const [summary] = (await host.send(TeamList, {})).teams;
    assert.ok((summary?.threadLength ?? 0) > thread.length);
  });

  it("is not said to be saved while only a part of it can be written", onLinux, async () => {
    using scratch = new Scratch();
    await leaveReadOnly(scratch.path);
    await using host = await HostClient.start({ ...asUser, storagePath: scratch.path, onQuestion: () => undefined });
    await host.send(TeamOpen, { teamId: "t" });
    assert.equal((await refusal(host.send(TeamRun, { teamId: "t", task: "more" }))).data.code, "StorageError");
    chmodSync(scratch.path, 0o777);
    assert.equal((await host.send(StorageResolve, { action: "retry" })).state, "failing");
    permit(scratch.path, 0o777);
    assert.deepEqual(await host.send(StorageResolve, { action: "retry" }), { state: "saving" });
    assert.equal((await host.send(TeamRun, { teamId: "t", task: "more" })).status.code, "success");
  });

  it("is listed and opened if it was closed cleanly; a run says that it cannot be written", onLinux, async () => {
    using scratch = new Scratch();
    await leaveReadOnly(scratch.path);
    await using host = await HostClient.start({ ...asUser, storagePath: scratch.path, onQuestion: () => undefined });
    assert.equal((await host.send(TeamList, {})).teams[0]?.lastLine, "ann speaks");
    assert.equal((await host.send(TeamOpen, { teamId: "t" })).thread.at(-1)?.content, "ann speaks");
    const { message } = await refusal(host.send(TeamRun, { teamId: "t", task: "more" }));
    assert.match(message, /gavel\.db cannot be (written|opened)/);
    await host.send(StorageResolve, { action: "continueWithoutSaving" });
    assert.equal((await host.send(TeamRun, { teamId: "t", task: "more" })).status.code, "success");
    await host.kill();
    chmodSync(scratch.path, 0o755);
  });
});

/** Deletes the folder as another program would; the returned function puts it back. */
function moveAway(_host: HostClient, folder: string): () => void {
  renameSync(folder, `${folder}-away`);
  return () => renameSync(`${folder}-away`, folder);
}

function moveLogAway(host: HostClient, folder: string): () => void {
  return moveAway(host, join(folder, "gavel.db-wal"));
}
