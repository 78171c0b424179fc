import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { PracticeLine } from "../../shared/contract/definition.ts";
import type { DurableEvent } from "../../shared/contract/event.ts";
import {
  ApprovalsAdd,
  TeamCommandOutput,
  TeamDelete,
  TeamEvents,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamReset,
  TeamRun,
  TeamStopCommand,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

const posix = { skip: process.platform === "win32" ? "needs a POSIX shell" : false };

type Ended = Extract<DurableEvent, { type: "command/ended" }>;

const background = (command: string) => ({
  calls: [{ tool: "runCommand", input: { command, background: true } }],
});
const reading = (input: object): PracticeLine => ({ calls: [{ tool: "commandOutput", input: { ...input } }] });

/** A host with an empty workspace, in which commands run without a sandbox and unasked. */
async function workplace(scratch: Scratch) {
  const workspace = join(scratch.path, "workspace");
  mkdirSync(workspace, { recursive: true });
  const start = async () => {
    const host = await HostClient.start({
      storagePath: join(scratch.path, "store"),
      folders: [pathToFileURL(workspace).href],
      user: { id: "dana", name: "Dana" },
      settings: { "gavel.sandbox.enabled": false },
    });
    return Object.assign(host, {
      open: (...lines: PracticeLine[]) =>
        host.send(TeamOpen, {
          teamId: "t",
          definition: roundRobin({
            names: ["ann"],
            model: { provider: "practice", pace: 0, lines: { ann: lines } },
            maxTurns: 1,
            participants: { tools: ["runCommand"] },
          }),
        }),
      allow: () => host.send(ApprovalsAdd, { rule: { decision: "allow", tool: "runCommand", scope: "workspace" } }),
      run: (task: string) => host.send(TeamRun, { teamId: "t", task }),
      commands: async () => (await host.send(TeamInspect, { teamId: "t" })).commands ?? [],
      ended: async (id: string) =>
        (await host.event("t", (event) => event.type === "command/ended" && event.id === id)) as Ended,
      /** The output once it has that text. */
      async outputWith(id: string, text: string): Promise<string> {
        let all = "";
        for (let after = 0; !all.includes(text); ) {
          const read = await host.send(TeamCommandOutput, { teamId: "t", id, after, wait: true });
          all += read.text;
          after = read.next;
        }
        return all;
      },
      results: () =>
        host.eventsOf("t").flatMap((event) => (event.type === "tool/executed" ? [String(event.output)] : [])),
    });
  };
  return { workspace, start };
}

/** Resolves once no process with that id is running. A zombie counts as ended. */
async function isGone(pid: number): Promise<void> {
  for (;;) {
    try {
      const state = execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8", timeout: 30_000 });
      if (state.startsWith("Z")) return;
    } catch {
      return;
    }
    await setTimeout(20);
  }
}

/** A server: prints the id of a process that ignores SIGTERM, then a line for each `touch next`. */
const SERVER = [
  `${JSON.stringify(process.execPath)} -e 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("pid " + process.pid)' &`,
  "until [ -e next ]; do sleep 0.02; done; echo second; wait",
].join("\n");

const pidIn = (output: string): number => Number(/pid (\d+)/.exec(output)?.[1]);

describe("a command in the background", posix, () => {
  it("goes on after its call; each participant reads what is new, and stops it", async () => {
    using scratch = new Scratch();
    const { workspace, start } = await workplace(scratch);
    await using host = await start();
    await host.open(background(SERVER), "started");
    await host.allow();
    const { messages } = await host.run("go");
    assert.equal(messages.at(-1)?.content, "started");
    const [command] = await host.commands();
    assert.partialDeepStrictEqual(command, { participant: "ann", command: SERVER });
    const { id = "" } = command ?? {};
    assert.match(host.results()[0] ?? "", new RegExp(`goes on in the background as ${id}`));
    const first = await host.outputWith(id, "pid ");

    execFileSync("touch", [join(workspace, "next")]);
    await host.outputWith(id, "second");
    // After the lines of the turns before, which are not said again.
    await host.open("", "", reading({ id }), "read", "read");
    await host.run("read it");
    assert.match(host.results()[1] ?? "", /^(?:pid \d+\n)?second\ncmd_\d+: still running$/);
    await host.open("", "", "", "", reading({ id, stop: true }), "stopped", "stopped");
    await host.run("stop it");
    assert.match(host.results()[2] ?? "", new RegExp(`^${id}: stopped by ann`));
    assert.partialDeepStrictEqual((await host.ended(id)).end, { stoppedBy: "ann" });
    await isGone(pidIn(first));
    assert.deepEqual(
      (await host.commands()).map(({ end }) => end?.stoppedBy),
      ["ann"],
    );
  });

  it("ends by itself with its exit code, and what it printed can be read until the host stops", async () => {
    using scratch = new Scratch();
    const { start } = await workplace(scratch);
    const host = await start();
    await host.open(
      background("echo hello; until [ -e end ]; do sleep 0.02; done; exit 3"),
      "on",
      background("exit 4"),
    );
    await host.allow();
    await host.run("go");
    const [{ id } = { id: "" }] = await host.commands();
    execFileSync("touch", [join(scratch.path, "workspace", "end")]);
    assert.deepEqual((await host.ended(id)).end, { exit: { code: 3 } });
    const read = await host.send(TeamCommandOutput, { teamId: "t", id });
    assert.deepEqual([read.text, read.isKept, read.command.end], ["hello\n", true, { exit: { code: 3 } }]);
    const again = await host.send(TeamStopCommand, { teamId: "t", id });
    assert.deepEqual(again.end, { exit: { code: 3 } });

    await host.run("fail");
    assert.equal(host.results().at(-1), "exit code 4");
    await host.shutdown();
    await using later = await start();
    await later.open("later");
    const lost = await later.send(TeamCommandOutput, { teamId: "t", id });
    assert.deepEqual([lost.text, lost.isKept, lost.command.end], ["", false, { exit: { code: 3 } }]);
    const unknown = await refusal(later.send(TeamStopCommand, { teamId: "t", id: "cmd_0" }));
    assert.equal(unknown.data.code, "InvalidParams");
    assert.match(unknown.message, /no background command "cmd_0"; they are cmd_\d+/);
  });

  it("goes on when its turn is interrupted, and the thread says so; the user stops it", async () => {
    using scratch = new Scratch();
    const { start } = await workplace(scratch);
    await using host = await start();
    // The batch goes on until it is interrupted.
    await host.open(
      { calls: [...background(SERVER).calls, { tool: "runCommand", input: { command: "sleep 600" } }] },
      "on",
    );
    await host.allow();
    const run = host.run("go");
    await host.event("t", (event) => event.type === "tool/output" && event.delta.includes("pid "));
    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    assert.deepEqual(receipt.abandonedTools, []);
    assert.equal((await run).stopReason, "USER_INTERRUPT");
    const [{ id } = { id: "" }] = await host.commands();
    assert.equal(host.results().filter((text) => text.includes(`goes on in the background as ${id}`)).length, 1);
    assert.equal((await host.commands())[0]?.end, undefined);
    const output = await host.outputWith(id, "pid ");
    const stopped = await host.send(TeamStopCommand, { teamId: "t", id });
    assert.equal(stopped.end?.stoppedBy, "dana");
    await isGone(pidIn(output));
  });

  it("ends when its team is reset or deleted", async () => {
    using scratch = new Scratch();
    const { start } = await workplace(scratch);
    await using host = await start();
    await host.open(background(SERVER), "on", background(SERVER), "on");
    await host.allow();
    await host.run("go");
    const [{ id } = { id: "" }] = await host.commands();
    const pid = pidIn(await host.outputWith(id, "pid "));
    await host.send(TeamReset, { teamId: "t" });
    assert.equal((await host.ended(id)).end.stoppedBy, "host");
    await isGone(pid);

    await host.run("go");
    const next = (await host.commands()).find(({ end }) => end === undefined)?.id ?? "";
    const other = pidIn(await host.outputWith(next, "pid "));
    await host.send(TeamDelete, { teamId: "t" });
    await isGone(other);
  });

  it("ends with its host, also with one that is killed, and the next host says so", async () => {
    using scratch = new Scratch();
    const { start } = await workplace(scratch);
    for (const how of ["kill", "shutdown"] as const) {
      const host = await start();
      await host.open(background(SERVER), "on", background(SERVER), "on");
      await host.allow();
      await host.run("go");
      const id = (await host.commands()).find(({ end }) => end === undefined)?.id ?? "";
      const pid = pidIn(await host.outputWith(id, "pid "));
      await host[how]();
      await isGone(pid);
      await using later = await start();
      const team = await later.open(background(SERVER), "on", background(SERVER), "on");
      const { end } = team.commands?.find((command) => command.id === id) ?? {};
      if (how === "kill") assert.deepEqual(end, { lost: "ended" });
      else assert.equal(end?.stoppedBy, "host");
      const { events } = await later.send(TeamEvents, { teamId: "t", types: ["command/ended"] });
      assert.equal(events.filter((event) => event.type === "command/ended" && event.id === id).length, 1);
    }
  });

  it("keeps its team for its host: another one may look, and has it once the command has ended", async () => {
    using scratch = new Scratch();
    const { start } = await workplace(scratch);
    await using host = await start();
    await host.open(background(SERVER), "on", "next");
    await host.allow();
    await host.run("go");
    const [{ id } = { id: "" }] = await host.commands();
    await using other = await start();
    const seen = await other.send(TeamOpen, { teamId: "t" });
    assert.equal(seen.commands?.[0]?.end, undefined);
    assert.equal((await refusal(other.run("mine"))).data.code, "TeamBusy");
    await host.run("still mine");
    await host.send(TeamStopCommand, { teamId: "t", id });
    assert.equal((await other.run("mine")).status.code, "success");
  });

  it("is one of eight at most", async () => {
    using scratch = new Scratch();
    const { start } = await workplace(scratch);
    await using host = await start();
    const sleeping = { tool: "runCommand", input: { command: "sleep 600", background: true } };
    await host.open({ calls: Array.from({ length: 9 }, () => sleeping) }, "on");
    await host.allow();
    await host.run("go");
    assert.equal((await host.commands()).length, 8);
    const refused = host.results().filter((result) => result.includes("the most that may"));
    assert.equal(refused.length, 1);
    assert.match(
      refused[0] ?? "",
      /^8 commands of this team run in the background, the most that may: cmd_\d+ \(sleep 600\)/,
    );
  });

  it("may print megabytes and control characters: memory, results and events stay bounded", async () => {
    using scratch = new Scratch();
    const { start } = await workplace(scratch);
    await using host = await start();
    const command =
      "printf '\\033[2J\\033]0;title\\007'; head -c 8000000 /dev/zero | tr '\\0' x; echo end; : \u202e; sleep 600";
    await host.open(background(command), "on");
    await host.allow();
    await host.run("go");
    const [{ id, command: shown } = { id: "", command: "" }] = await host.commands();
    assert.equal(shown, command);
    await host.outputWith(id, "end");
    const { text, next } = await host.send(TeamCommandOutput, { teamId: "t", id });
    assert.ok(next > 8_000_000);
    assert.ok(text.length < 70_000);
    assert.match(text, /KB of output left out here/);
    assert.ok((host.results()[0]?.length ?? 0) < 70_000);
    assert.ok(JSON.stringify(host.eventsOf("t")).length < 2_000_000);
  });
});
