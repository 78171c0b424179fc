import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import {
  ApprovalsAdd,
  EditsChanges,
  TeamDelete,
  TeamInterrupt,
  TeamResolveTools,
} from "../../../shared/contract/requests.ts";
import type { AgentStep } from "../../fixtures/acp-agent/agent.ts";
import { AgentHost, hasEnded } from "./agent-host.ts";

/** Notes its process in a file, and does not end by itself. */
const server = (terminal: string): AgentStep => ({
  terminal,
  run: {
    command: process.execPath,
    args: [
      "-e",
      `const fs = require("fs"), name = "${terminal}.pid";
       fs.writeFileSync(name + ".new", String(process.pid));
       fs.renameSync(name + ".new", name);
       setInterval(() => {}, 1e6);`,
    ],
  },
});

/** Allows each command of the agent. */
const allowAll = (agents: AgentHost) =>
  agents.host.send(ApprovalsAdd, { rule: { decision: "allow", tool: "runCommand", scope: "workspace" } });

const approve = async (agents: AgentHost, more: { readonly input?: unknown } = {}) => {
  const [call] = await agents.pending();
  return agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "", ...more }] });
};

describe("an agent program as a participant: commands that it has us run", () => {
  it("asks about the whole line, runs exactly that, and gives the agent its output and its end", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const asked = await agents.run(
      {
        terminal: "a",
        run: {
          command: "sh",
          args: ["-c", 'echo "$GREETING to $1"; exit 3', "-", "you all"],
          env: [{ name: "GREETING", value: "Good day" }],
          cwd: agents.workspace,
        },
      },
      { exitOf: "a" },
      { outputOf: "a" },
      { release: "a" },
      { outputOf: "a" },
      { say: "Done." },
    );

    assert.equal(asked.stopReason, "TOOL_INTERRUPT");
    const [call] = await agents.pending();
    assert.partialDeepStrictEqual(call, { name: "runCommand", participant: "ann", approval: true });
    assert.deepEqual(call?.input, {
      command: `export GREETING='Good day'; sh -c 'echo "$GREETING to $1"; exit 3' - 'you all'`,
    });
    const { result } = await approve(agents);
    assert.equal(result?.messages.at(-1)?.content, "Done.");
    assert.deepEqual(agents.log("got"), [
      { terminal: "a" },
      { exitCode: 3, signal: null },
      { output: "Good day to you all\n", truncated: false, exitStatus: { exitCode: 3, signal: null } },
      {},
    ]);
    assert.match(String(agents.log("refused")[0]), /no such terminal, or it was released/);
    assert.partialDeepStrictEqual(agents.events("tool/executed")[0], {
      name: "runCommand",
      output: "Good day to you all\nexit code 3",
      exit: { code: 3 },
    });
  });

  it("is bound by the rules for commands; what is denied does not run, and the agent is told why", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const add = (decision: "allow" | "deny", command: string) =>
      agents.host.send(ApprovalsAdd, { rule: { decision, tool: "runCommand", command, scope: "workspace" } });
    await add("allow", "echo *");
    await add("deny", "touch *");
    const result = await agents.run(
      { terminal: "a", run: { command: "echo", args: ["one two"] } },
      { exitOf: "a" },
      { outputOf: "a" },
      { terminal: "b", run: { command: "echo x && touch made" } },
      { terminal: "c", run: { command: "echo x", cwd: agents.path() } },
      { say: "Done." },
    );

    assert.equal(result.status.code, "success");
    assert.partialDeepStrictEqual(agents.log("got")[2], { output: "one two\n" });
    assert.match(String(agents.log("refused")[0]), /denie[sd]/);
    assert.match(String(agents.log("refused")[1]), /outside the workspace/);
    // A variable could change what runs.
    await agents.run({ terminal: "d", run: { command: "echo x", env: [{ name: "PATH", value: "." }] } });
    assert.partialDeepStrictEqual((await agents.pending())[0], { input: { command: "export PATH=.; echo x" } });
    const [call] = await agents.pending();
    await agents.host.send(TeamResolveTools, { teamId: "t", deny: [{ ref: call?.ref ?? "", reason: "Not now." }] });
    assert.match(String(agents.log("refused")[2]), /The user denied this call: Not now\./);
  });

  it("is not asked about again where the user has just accepted exactly this command, once", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const ask = (command: string, ...then: readonly AgentStep[]): AgentStep => ({
      ask: { toolCallId: command, title: command, kind: "execute", rawInput: { command } },
      on: { yes: then },
    });
    const run = (command: string): AgentStep => ({ terminal: command, run: { command } });
    await agents.run(ask("echo a", run("echo a"), { exitOf: "echo a" }, run("echo a")), { say: "Both." });
    assert.partialDeepStrictEqual((await agents.pending())[0], { name: "agent:execute" });
    await approve(agents);
    // The first ran; the second is asked about.
    assert.deepEqual(agents.log("got"), [{ terminal: "echo a" }, { exitCode: 0, signal: null }]);
    assert.partialDeepStrictEqual((await agents.pending())[0], { name: "runCommand", input: { command: "echo a" } });
    await approve(agents);

    await agents.run(ask("echo b", run("echo b; id")), { say: "Other." });
    await approve(agents);
    assert.partialDeepStrictEqual((await agents.pending())[0], { input: { command: "echo b; id" } });
    await agents.host.send(TeamInterrupt, { teamId: "t" });
    // A rule for what the agent runs itself is no answer about what we run.
    await agents.host.send(ApprovalsAdd, { rule: { decision: "allow", tool: "agent:execute", scope: "workspace" } });
    await agents.run(ask("echo c", run("echo c")), { say: "Ruled." });
    assert.partialDeepStrictEqual((await agents.pending())[0], { name: "runCommand", input: { command: "echo c" } });
  });

  it("keeps the end of the output within the agent's limit, in whole characters", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    await allowAll(agents);
    const print = 'process.stdout.write("x".repeat(300_000) + "€€")';
    await agents.run(
      { terminal: "a", run: { command: process.execPath, args: ["-e", print], outputByteLimit: 5 } },
      { terminal: "b", run: { command: process.execPath, args: ["-e", print], outputByteLimit: 299_000 } },
      { exitOf: "a" },
      { exitOf: "b" },
      { outputOf: "a" },
      { outputOf: "b" },
    );
    const [a, b] = agents.log("got").slice(-2) as { output: string; truncated: boolean }[];
    assert.deepEqual([a?.output, a?.truncated], ["€", true]);
    assert.deepEqual([b?.output.length, b?.output.slice(-3), b?.truncated], [298_996, "x€€", true]);
  });

  it("shows the output in the agent's own row, and lists the files that changed", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    await allowAll(agents);
    const call = { toolCallId: "c1", title: "Make it", kind: "execute" } as const;
    await agents.run(
      { terminal: "a", run: { command: "echo made | tee out.txt" } },
      { showing: "a", call: { ...call, status: "in_progress" } },
      { exitOf: "a" },
      { release: "a" },
      { update: { toolCallId: "c1", status: "completed" } },
      { say: "Made." },
    );
    const rows = agents.events("tool/executed").map((event) => "output" in event && [event.name, event.output]);
    assert.deepEqual(rows, [
      ["runCommand", "made\nexit code 0"],
      ["agent:execute", "made"],
    ]);
    const { commands } = await agents.host.send(EditsChanges, { teamId: "t" });
    assert.deepEqual(
      commands.map(({ path, change }) => [path, change]),
      [["out.txt", "created"]],
    );
  });

  it("ends by an interrupt, with what it started; the agent is told, and its partial is kept", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    await allowAll(agents);
    const pidFile = agents.file("a.pid");
    const run = agents.run(server("a"), { until: pidFile }, { say: "It runs." }, { exitOf: "a" }, { wait: "cancel" });
    await agents.host.streamed("t", "It runs.".length);
    const receipt = await agents.host.send(TeamInterrupt, { teamId: "t" });
    await run;

    await hasEnded(Number(readFileSync(pidFile, "utf8")));
    assert.deepEqual([receipt.partials[0]?.content, agents.log("cancel").length], ["It runs.", 1]);
    assert.deepEqual(agents.log("got").at(-1), { exitCode: null, signal: "SIGTERM" });
    assert.deepEqual(agents.events("error"), []);
  });

  it("ends by an interrupt too when the turn waits for the user, and does not wait for it", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    await allowAll(agents);
    const pidFile = agents.file("a.pid");
    const ask: AgentStep = { ask: { toolCallId: "c1", title: "Deploy", kind: "execute" } };
    const asked = await agents.run(server("a"), { until: pidFile }, ask);
    assert.equal(asked.stopReason, "TOOL_INTERRUPT");
    await agents.host.send(TeamInterrupt, { teamId: "t" });
    await hasEnded(Number(readFileSync(pidFile, "utf8")));
  });

  it("is killed for the agent, which can still read it; what it does not release ends with its team", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    await allowAll(agents);
    const [a, b] = [agents.file("a.pid"), agents.file("b.pid")];
    await agents.run(server("a"), { until: a }, { kill: "a" }, { exitOf: "a" }, { outputOf: "a" });
    await hasEnded(Number(readFileSync(a, "utf8")));
    assert.partialDeepStrictEqual(agents.log("got").at(-1), { exitStatus: { exitCode: null, signal: "SIGTERM" } });
    assert.match(JSON.stringify(agents.events("tool/executed")[0]), /The agent ended this command/);

    const second = await agents.run(server("b"), { until: b }, { say: "It serves." });
    assert.equal(second.messages.at(-1)?.content, "It serves.");
    assert.match(JSON.stringify(agents.events("tool/executed")[1]), /The command goes on/);
    const pid = Number(readFileSync(b, "utf8"));
    await agents.run({ outputOf: "b" }, { say: "Still." });
    assert.deepEqual(agents.log("got").at(-1), { output: "", truncated: false });
    await agents.host.send(TeamDelete, { teamId: "t" });
    await hasEnded(pid);
  });
});
