import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import { delta, finished, rawEndpoint, startStream } from "../../server/models/testing/raw-endpoint.ts";
import { CommandLine, noTerminal } from "./harness/command-line.ts";

const ENTER = "\r";
const CTRL_C = "\u0003";

const team = (lines: Readonly<Record<string, readonly unknown[]>>, pace: number) => ({
  name: "Two",
  kind: "roundRobin",
  participants: [{ name: "ann", tools: ["runCommand"] }, { name: "bob" }],
  models: { default: { provider: "practice", pace, lines, asked: { bob: ["I am here."] } } },
  maxTurns: 2,
});

/** The cursor, pasting, drawing at once, and colours. */
const OWN_ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[(?:\\?(?:25|2004|2026)[hl]|[\\d;]*[mJAC])`, "g");

const words = (count: number): string => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");
const run = (command: string): object => ({ say: "I run it.", calls: [{ tool: "runCommand", input: { command } }] });

describe("gavel run at a terminal", { skip: noTerminal }, () => {
  it("streams text, keeps it on Ctrl+C, goes on with Enter, and ends on the second Ctrl+C", async () => {
    using gavel = new CommandLine({ "t.team.json": team({ ann: [words(2000)] }, 50) });
    const terminal = gavel.inTerminal(["run", "t.team.json", "Go."]);
    await terminal.until("word5 ");
    terminal.press(CTRL_C);
    let at = await terminal.until("Enter continues");
    assert.match(terminal.shown(), /Interrupted · \d+ words of ann kept/);
    terminal.press(ENTER);
    at = await terminal.until("ann writes", at);
    terminal.press(CTRL_C);
    at = await terminal.until("Enter continues", at);
    terminal.press(CTRL_C);
    assert.equal(await terminal.exited(), 130);
    assert.match(terminal.shown(at), /Everything is kept\. Go on with: gavel run --thread/);
  });

  it("asks about a call: an edited command runs, a refused one does not, and a rule is made by always", async () => {
    const lines = {
      ann: [run("echo a > a.txt"), run("echo b > b.txt"), run("echo c > c.txt"), "Ready."],
      bob: ["Good."],
    };
    using gavel = new CommandLine({ "t.team.json": team(lines, 0) });
    const terminal = gavel.inTerminal(["run", "t.team.json", "Go."]);
    let at = await terminal.until("always…");
    assert.match(terminal.shown(), /ann wants to run a command\n│ echo a > a\.txt\n/);
    terminal.press("e");
    at = await terminal.until("› echo a > a.txt", at);
    terminal.press(`\u0015echo edited > a.txt${ENTER}`);
    at = await terminal.until("echo b > b.txt", at);
    at = await terminal.until("always…", at);
    terminal.press("n");
    at = await terminal.until("why not, or Enter", at);
    terminal.press(`Not this${ENTER}`);
    at = await terminal.until("echo c > c.txt", at);
    at = await terminal.until("always…", at);
    terminal.press("a");
    at = await terminal.until("Allow without asking:", at);
    at = await terminal.until("b back", at);
    terminal.press("1");
    await terminal.until("in this run", at);
    terminal.press("r");
    assert.equal(await terminal.exited(), 0, terminal.shown());
    assert.equal(readFileSync(join(gavel.folder, "a.txt"), "utf8"), "edited\n");
    assert.equal(existsSync(join(gavel.folder, "b.txt")), false);
    assert.equal(readFileSync(join(gavel.folder, "c.txt"), "utf8"), "c\n");
  });

  it("takes what is typed as a message, not as an answer to a question that comes meanwhile", async () => {
    const asking = Promise.withResolvers<ServerResponse>();
    await using endpoint = await rawEndpoint((response, count) => {
      startStream(response, delta({ content: count === 1 ? "I run it. " : "Ready." }));
      if (count === 1) asking.resolve(response);
      else response.end("data: [DONE]\n\n");
    });
    const held = { provider: "openai", model: "m", baseUrl: endpoint.url };
    const { models, participants, ...rest } = team({ bob: ["Good."] }, 0);
    using gavel = new CommandLine({
      "t.team.json": {
        ...rest,
        participants: participants.map((one) => (one.name === "ann" ? { ...one, model: "held" } : one)),
        models: { ...models, held },
      },
    });
    const terminal = gavel.inTerminal(["run", "t.team.json", "Go."]);
    let at = await terminal.until("I run it. ");
    terminal.press("@bob are you there? ");
    at = await terminal.until("@bob are you there? ", at);
    const call = { name: "runCommand", arguments: '{"command":"echo a > a.txt"}' };
    const toolCall = { index: 0, id: "c1", type: "function", function: call };
    for (const event of [delta({ tool_calls: [toolCall] }), finished])
      (await asking.promise).write(`data: ${JSON.stringify(event)}\n\n`);
    (await asking.promise).end("data: [DONE]\n\n");
    at = await terminal.until("always…", at);
    terminal.press("yes");
    at = await terminal.until("there? yes", at);
    assert.equal(existsSync(join(gavel.folder, "a.txt")), false);
    terminal.press(ENTER);
    at = await terminal.until("I am here.", at);
    assert.equal(existsSync(join(gavel.folder, "a.txt")), false);
    terminal.press("y");
    assert.equal(await terminal.exited(), 0, terminal.shown());
    assert.equal(existsSync(join(gavel.folder, "a.txt")), true);
  });

  it("writes out what a model would have the terminal do, and keeps within the width of the terminal", async () => {
    const hostile = `\u001b]0;title\u0007\u001b]8;;https://evil.example\u001b\\link \u009b31m \u202Eabc ${"日本語".repeat(40)}`;
    using gavel = new CommandLine({ "t.team.json": team({ ann: [hostile], bob: ["Good."] }, 0) });
    for (const columns of [40, 80, 120]) {
      const terminal = gavel.inTerminal(["run", "t.team.json", "Go."], columns);
      assert.equal(await terminal.exited(), 0);
      assert.match(terminal.shown(), /⟨U\+001B⟩\]0;title⟨U\+0007⟩/);
      // Only the escapes of the view itself.
      const own = terminal.raw.replaceAll(OWN_ESCAPES, "");
      assert.doesNotMatch(own, /[^\P{Cc}\r\n]|\p{Bidi_Control}/u);
      const lines = terminal.shown().split("\n");
      const widest = Math.max(
        ...lines.map((line) => [...line].reduce((sum, one) => sum + (one > "\u2fff" ? 2 : 1), 0)),
      );
      assert.ok(widest <= columns, `${widest} of ${columns}`);
    }
  });

  it("has no colours with NO_COLOR or --no-color", async () => {
    using gavel = new CommandLine({ "t.team.json": team({ ann: ["Hello."], bob: ["Good."] }, 0) });
    const plain = gavel.inTerminal(["run", "t.team.json", "--no-color", "Go."]);
    const coloured = gavel.inTerminal(["run", "t.team.json", "Go."]);
    await Promise.all([plain.exited(), coloured.exited()]);
    assert.doesNotMatch(plain.raw, /\[[\d;]+m/);
    assert.match(coloured.raw, /\[1;36mann/);
  });
});
