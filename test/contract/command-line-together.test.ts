import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { CommandLine, noTerminal, type TerminalRun } from "./harness/command-line.ts";
import { HeldEndpoint } from "./harness/held-endpoint.ts";
import { openai } from "./harness/teams.ts";

const ENTER = "\r";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

const teamAt = (baseUrl: string) => ({
  name: "Two",
  kind: "roundRobin",
  participants: [{ name: "ann" }, { name: "bob" }],
  models: { default: openai(baseUrl) },
  maxTurns: 2,
});

const ASKING = {
  name: "Asking",
  kind: "roundRobin",
  participants: [{ name: "ann", tools: ["runCommand"] }],
  models: {
    default: {
      provider: "practice",
      pace: 0,
      lines: {
        ann: [
          { say: "I run it.", calls: [{ tool: "runCommand", input: { command: "echo a > a.txt" } }] },
          "I am ready.",
        ],
      },
    },
  },
  maxTurns: 1,
};

/** A folder whose host goes on until the test ends. */
class ServedFolder implements AsyncDisposable {
  readonly gavel: CommandLine;

  private constructor(gavel: CommandLine) {
    this.gavel = gavel;
  }

  static async start(files: Readonly<Record<string, unknown>>): Promise<ServedFolder> {
    const served = new ServedFolder(new CommandLine(files));
    const { code, stdout, stderr } = await served.gavel.run(["serve", "--idle-minutes", "5"]);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^An agent host serves the threads of .* until it has had no client and no run for 5 minutes; /,
    );
    return served;
  }

  async thread(): Promise<string> {
    const [{ teamId }] = JSON.parse((await this.gavel.run(["list", "--json"])).stdout);
    return teamId;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { code, stderr } = await this.gavel.run(["serve", "--stop"]);
    this.gavel[Symbol.dispose]();
    assert.equal(code, 0, stderr);
  }
}

/** Ends a command whose thread is at rest, with Ctrl+C. */
async function end(terminal: TerminalRun): Promise<number | null> {
  terminal.press(CTRL_C);
  return terminal.exited();
}

describe("two terminals on one thread", { skip: noTerminal }, () => {
  it("show the same run: one follows it from the middle, interrupts it, and lets it go on", async () => {
    await using endpoint = await HeldEndpoint.start("One two |three.", "I am back.", "I am bob.");
    await using served = await ServedFolder.start({ "t.team.json": teamAt(endpoint.baseUrl) });
    const first = served.gavel.inTerminal(["run", "t.team.json", "Go."]);
    await first.until("One two");
    const second = served.gavel.inTerminal(["run", "--thread", await served.thread()]);
    let at = await second.until("One two");
    second.press(CTRL_C);
    at = await second.until("Enter continues", at);
    const inFirst = await first.until("Enter continues");
    assert.match(first.shown(), /You, in another client, interrupted the team\n/);
    assert.doesNotMatch(second.shown(), /in another client/);
    // Who began it is no longer asked as soon as the other has it go on.
    second.press(`Please go on.${ENTER}`);
    await first.until("you in another client\n  Please go on.", inFirst);
    await first.until("I am back.", inFirst);
    await second.until("I am back.", at);
    assert.doesNotMatch(second.shown(), /in another client/);
    await second.until("Finished", at);
    await first.until("Finished", inFirst);
    assert.equal(await end(first), 130);
    assert.equal(await end(second), 130);
  });

  it("ask about a call in both, until one has decided, and say in the other who did", async () => {
    await using served = await ServedFolder.start({ "t.team.json": ASKING });
    const first = served.gavel.inTerminal(["run", "t.team.json", "Go."]);
    const at = await first.until("always…");
    const second = served.gavel.inTerminal(["run", "--thread", await served.thread()]);
    await second.until("always…");
    second.press("y");
    assert.equal(await second.exited(), 0, second.shown());
    assert.doesNotMatch(second.shown(), /in another client/);
    assert.equal(existsSync(join(served.gavel.folder, "a.txt")), true);
    await first.until("You, in another client, approved runCommand", at);
    // It can also be asked for a message for a moment before the run goes on.
    const ready = await first.until("I am ready.", at);
    await first.until("a message, @name for one; Ctrl+C ends", await first.until("Finished", ready));
    assert.equal(await end(first), 130);
  });

  it("leave a run with Ctrl+D as it is, and come back to it", async () => {
    await using endpoint = await HeldEndpoint.start("One two |three.", "I am bob.");
    await using served = await ServedFolder.start({ "t.team.json": teamAt(endpoint.baseUrl) });
    const first = served.gavel.inTerminal(["run", "t.team.json", "Go."], 120);
    await first.until("One two");
    first.press(CTRL_D);
    assert.equal(await first.exited(), 5);
    assert.match(first.shown(), /The run goes on\. Go back to it with: gavel run --thread/);
    const second = served.gavel.inTerminal(["run", "--thread", await served.thread()]);
    const at = await second.until("One two");
    endpoint.goOn();
    await second.until("three.", at);
    await second.until("a message, @name for one; Ctrl+C ends", await second.until("I am bob.", at));
    second.press(CTRL_D);
    assert.equal(await second.exited(), 0);
  });
});

describe("a terminal whose host ends", { skip: noTerminal }, () => {
  it("goes on with the thread in a host of its own", async () => {
    await using endpoint = await HeldEndpoint.start("One two |three.", "I am back.", "I am bob.");
    using gavel = new CommandLine({ "t.team.json": teamAt(endpoint.baseUrl) });
    const owner = gavel.start(["run", "t.team.json", "--json", "Go."]);
    const closed = new Promise<void>((resolve) => owner.on("close", () => resolve()));
    const teamId = await new Promise<string>((resolve) => {
      let output = "";
      owner.stdout.setEncoding("utf8").on("data", (part: string) => {
        output += part;
        if (output.includes("One two")) resolve(JSON.parse(output.split("\n")[0] ?? "").teamId);
      });
    });
    const terminal = gavel.inTerminal(["run", "--thread", teamId]);
    let at = await terminal.until("One two");
    owner.kill("SIGKILL");
    await closed;
    at = await terminal.until("The agent host has ended; going on in another.", at);
    at = await terminal.until("Enter continues", at);
    terminal.press(ENTER);
    at = await terminal.until("I am back.", at);
    at = await terminal.until("I am bob.", at);
    await terminal.until("Finished", at);
    assert.ok([0, 130].includes((await end(terminal)) ?? -1), terminal.shown());
  });
});

describe("gavel serve", () => {
  it("has a run go on when its terminal is killed, for another command to follow, and ends the host", async () => {
    await using endpoint = await HeldEndpoint.start("One two |three.", "I am bob.");
    using gavel = new CommandLine({ "t.team.json": teamAt(endpoint.baseUrl) });
    const none = await gavel.run(["serve", "--status"]);
    assert.match(none.stdout, /^No agent host runs for .*; "gavel serve" starts one\.\n$/);
    assert.equal(none.code, 1);
    assert.equal((await gavel.run(["serve"])).code, 0);
    try {
      assert.match((await gavel.run(["serve"])).stdout, /^An agent host serves the threads of .* already; /);
      const child = gavel.start(["run", "t.team.json", "--json", "Go."]);
      const closed = new Promise<void>((resolve) => child.on("close", () => resolve()));
      await new Promise<void>((resolve) => {
        let output = "";
        child.stdout.setEncoding("utf8").on("data", (part: string) => {
          output += part;
          if (output.includes("One two")) resolve();
        });
      });
      child.kill("SIGKILL");
      await closed;
      const { stdout } = await gavel.run(["serve", "--status"]);
      const [, id = ""] =
        /^An agent host of Gavel \S+ serves .*, process \d+\. It goes on .*; these threads are running:\n(\S+) {2}Two\n$/.exec(
          stdout,
        ) ?? [];
      assert.notEqual(id, "", stdout);
      const following = gavel.start(["run", "--thread", id]);
      let followed = "";
      const opened = new Promise<void>((resolve) => {
        following.stdout.setEncoding("utf8").on("data", (part: string) => {
          followed += part;
          resolve();
        });
      });
      const code = new Promise<number | null>((resolve) => following.on("close", resolve));
      await opened;
      endpoint.goOn();
      assert.equal(await code, 0, followed);
      assert.match(followed, /ann\n {2}One two three\.\n\nbob\n {2}I am bob\.\n\nFinished/);
    } finally {
      const stopped = await gavel.run(["serve", "--stop"]);
      assert.match(stopped.stdout, /^The agent host of .* has ended; its threads are kept\.\n$/);
    }
    assert.equal((await gavel.run(["serve", "--status"])).code, 1);
    assert.equal((await gavel.run(["serve", "--stop"])).code, 0);
  });

  it("says that a command has the host, and that it ends with it", async () => {
    await using endpoint = await HeldEndpoint.start("One two |three.");
    using gavel = new CommandLine({ "t.team.json": teamAt(endpoint.baseUrl) });
    const child = gavel.start(["run", "t.team.json", "--json", "Go."]);
    const closed = new Promise<void>((resolve) => child.on("close", () => resolve()));
    await new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
    const { code, stderr } = await gavel.run(["serve"]);
    assert.match(stderr, /^gavel: A window or a terminal has the agent host for .*, which ends with it; close that, /);
    assert.equal(code, 1);
    assert.match((await gavel.run(["serve", "--stop"])).stderr, /^gavel: \S.*\.\n$/);
    child.kill("SIGTERM");
    await closed;
  });
});
