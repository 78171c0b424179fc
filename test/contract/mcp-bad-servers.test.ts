import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { ElicitQuestion } from "../../shared/contract/mcp-question.ts";
import { ApprovalsAdd, McpList, TeamInterrupt, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";
import { call, fixture, withServers } from "./harness/mcp.ts";

const ALLOW_ALL = { decision: "allow", tool: "*", scope: "workspace" } as const;

/** A run of a team whose participant calls these tools of the server that misbehaves so, with everything allowed. */
async function runWith(
  how: string,
  calls: readonly string[] = ["bad/act"],
  environment: Record<string, string> = {},
  onQuestion: (question: ElicitQuestion) => void = () => {},
) {
  const host = await HostClient.start({
    onProgram: () => true,
    onElicit: ({ question }) => {
      onQuestion(question);
      return { action: "decline" };
    },
    environment,
    environmentKey: "sk-own-key",
  });
  const lines = [...calls.map((name) => call(name)), "went on"];
  await host.send(TeamOpen, { teamId: "t", definition: withServers({ bad: fixture(how) }, ["bad/*"], lines) });
  await host.send(ApprovalsAdd, { rule: ALLOW_ALL });
  const run = host.send(TeamRun, { teamId: "t", task: "go" });
  return { host, run };
}

const outputs = (host: HostClient): readonly unknown[] =>
  host.eventsOf("t").flatMap((event: TeamEvent) => (event.type === "tool/executed" ? [event.output] : []));

/** The outputs of a run in which everything else goes on. */
async function outputsOf(how: string, calls?: readonly string[]): Promise<readonly unknown[]> {
  const { host, run } = await runWith(how, calls);
  await using _ = host;
  const { messages, status } = await run;
  assert.equal(status.code, "success");
  assert.equal(messages.at(-1)?.content, "went on");
  return outputs(host);
}

describe("an MCP server that misbehaves", () => {
  it("that ends in a call gives one sentence with its last words, and is started again for the next call", async () => {
    const said = await outputsOf("die", ["bad/act", "bad/act"]);
    for (const one of said) assert.equal(one, "The server bad ended with code 3: out of cheese.");
    assert.equal(said.length, 2);
  });

  it("that ends again and again is not started any more in this run", async () => {
    const said = await outputsOf(
      "die",
      Array.from({ length: 5 }, () => "bad/act"),
    );
    assert.equal(said.length, 5);
    assert.match(String(said.at(-1)), /There is no tool "bad\/act".*It is not started again in this run/);
  });

  it("that ends at its start leaves the run without its tools, and the user is told what to correct", async () => {
    const { host, run } = await runWith("exit");
    await using _ = host;
    assert.equal((await run).messages.at(-1)?.content, "went on");
    assert.match(String(outputs(host)[0]), /There is no tool "bad\/act"/);
    const sentence =
      /^The MCP server "bad" ended with code 1: cannot read its settings; correct it in .*, or see the log\.$/;
    assert.ok(
      host.shown.some((message) => sentence.test(message)),
      host.shown.join("\n"),
    );
  });

  it("that never answers stops with an interrupt", async () => {
    const { host, run } = await runWith("hang");
    await using _ = host;
    await host.event("t", ({ type }) => type === "tool/started");
    const { abandonedTools } = await host.send(TeamInterrupt, { teamId: "t" });
    assert.deepEqual(abandonedTools, []);
    assert.equal((await run).stopReason, "USER_INTERRUPT");
  });

  it("that answers with 20 MB is stopped, and the call says why", async () => {
    assert.deepEqual(await outputsOf("huge"), ["The server bad was stopped, as it sent a message of more than 8 MB."]);
  });

  it("that writes other lines, answers twice and answers what was not asked is read as far as it can be", async () => {
    assert.deepEqual(await outputsOf("junk"), ["first"]);
  });

  it("that answers with something else than a result gives an error", async () => {
    assert.match(String((await outputsOf("wrong"))[0]), /^Invalid result for tools\/call/);
  });

  it("that floods the log is logged in part, without control characters", async () => {
    const { host, run } = await runWith("flood");
    await using _ = host;
    await run;
    assert.deepEqual(outputs(host), ["flooded"]);
    const lines = host.logs.filter(({ message }) => message.startsWith('MCP server "bad": '));
    // 50 in ten seconds, of 20,000.
    assert.ok(lines.length <= 1_000, `${lines.length} lines`);
    assert.ok(lines.some(({ message }) => message.includes("line 1")));
    for (const { message } of lines) assert.doesNotMatch(message, /\p{Cc}/u);
  });

  it("with 10,000 tools has as many as are used, and says so", async () => {
    const { host, run } = await runWith("many", ["bad/act1"]);
    await using _ = host;
    await run;
    assert.deepEqual(outputs(host), ["acted"]);
    const { servers } = await host.send(McpList, {});
    assert.equal(servers[0]?.tools.length, 500);
    assert.ok(host.logs.some(({ message }) => message.includes("9500 tools more than the 500 that are used")));
  });

  it("with equal, invisible and starred names has the tools that can be named", async () => {
    const { host, run } = await runWith("names");
    await using _ = host;
    await run;
    assert.deepEqual((await host.send(McpList, {})).servers[0]?.tools, ["bad/act"]);
  });

  it("with a schema that cannot be used checks its inputs itself", async () => {
    assert.deepEqual(await outputsOf("schema"), ["acted"]);
  });

  it("lists some tools that are none is used with the others", async () => {
    assert.deepEqual(await outputsOf("untyped"), ["acted"]);
    assert.deepEqual(await outputsOf("deepSchema"), ["acted"]);
  });

  it("answers and logs values that are nested too deeply gives one sentence, and goes on", async () => {
    const [said] = await outputsOf("deepResult");
    assert.match(String(said), /^bad\/act ran, but its result is nested more than 100 levels deep/);
    assert.deepEqual(await outputsOf("deepLog"), ["logged"]);
    assert.deepEqual(await outputsOf("deepQuestion"), ["answered"]);
  });

  it("says again and again that its tools have changed is asked for them once more", async () => {
    const [, said] = await outputsOf("relist", ["bad/act", "bad/act"]);
    assert.match(String(said), /^listed [1-3] times$/);
  });

  it("sends requests and reads no answers is stopped, and the call says why", async () => {
    assert.deepEqual(await outputsOf("deaf"), ["The server bad was stopped, as it does not read what it is sent."]);
  });

  it("asks again and again is heard one question at a time, and not after three refusals", async () => {
    const asked: string[] = [];
    const { host, run } = await runWith("nag", undefined, {}, (question) => asked.push(question.message) > 0);
    await using _ = host;
    await run;
    assert.deepEqual(asked, ["0?", "1?", "2?"]);
    const said = String(outputs(host)[0]).split(" ");
    assert.equal(said.length, 50);
    assert.ok(said.every((action) => action === "decline" || action === "cancel"));
  });

  it("gets the usual variables, and no others of the host", async () => {
    const { host, run } = await runWith("env", undefined, { GAVEL_TEST_TOKEN: "secret", OTHER: "x" });
    await using _ = host;
    await run;
    const names = Object.keys(JSON.parse(String(outputs(host)[0])));
    assert.ok(names.includes("PATH") && names.includes("HOME"), names.join(" "));
    const known = ["HOME", "LANG", "LOGNAME", "PATH", "PWD", "OLDPWD", "SHELL", "SHLVL", "TERM", "TMPDIR", "USER", "_"];
    assert.deepEqual(
      names.filter((name) => !known.includes(name)),
      [],
    );
  });

  it("is killed with everything that it started when the host is killed", {
    skip: process.platform === "win32",
  }, async () => {
    const { host, run } = await runWith("child");
    await run;
    const pids = String(outputs(host)[0]).split(" ").map(Number);
    assert.equal(pids.length, 2);
    await host.kill();
    while (pids.some(isRunning)) await pause(10);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
