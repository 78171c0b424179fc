import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApprovalsAdd, TeamOpen, TeamResolveTools } from "../../../shared/contract/requests.ts";
import type { AgentStep } from "../../fixtures/acp-agent/agent.ts";
import { AgentHost } from "./agent-host.ts";

describe("an agent program as a participant: its permission requests", () => {
  it("has its permission requests as pending calls: a decision answers the agent, which waits for it", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const ask: AgentStep = {
      ask: { toolCallId: "c1", title: "Run the tests", kind: "execute", rawInput: { command: "npm test" } },
      on: {
        yes: [
          { update: { toolCallId: "c1", status: "in_progress" } },
          { update: { toolCallId: "c1", status: "completed", rawOutput: "2 passed" } },
          { say: "They pass." },
        ],
        no: [{ say: "Then not." }],
      },
    };

    const asked = await agents.run({ say: "First the tests." }, ask);
    assert.deepEqual([asked.stopReason, asked.status.code], ["TOOL_INTERRUPT", "interrupted"]);
    const [call] = await agents.pending();
    assert.partialDeepStrictEqual(call, {
      name: "agent:execute",
      participant: "ann",
      approval: true,
      input: { title: "Run the tests", command: "npm test", cwd: agents.workspace },
    });
    const { result } = await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "" }] });
    assert.equal(result?.messages.at(-1)?.content, "They pass.");
    assert.partialDeepStrictEqual(agents.events("tool/executed")[0], { output: "2 passed", isError: false });

    await agents.run(ask);
    const [again] = await agents.pending();
    const denied = await agents.host.send(TeamResolveTools, {
      teamId: "t",
      deny: [{ ref: again?.ref ?? "", reason: "Use pnpm." }],
    });
    assert.deepEqual(agents.log("chosen"), ["yes", "no"]);
    assert.match(agents.prompts().at(-1) ?? "", /About "Run the tests": The user denied this call: Use pnpm\./);
    assert.equal(denied.result?.status.code, "success");
  });

  it("is answered by the user's rules, which see what it says that it does", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const { host } = agents;
    await host.send(ApprovalsAdd, {
      rule: { decision: "allow", tool: "agent:execute", command: "git status", scope: "workspace" },
    });
    await host.send(ApprovalsAdd, {
      rule: { decision: "deny", tool: "agent:*", path: "secret.txt", scope: "workspace" },
    });
    const run = (toolCallId: string, command: string, more = {}): AgentStep => ({
      ask: { toolCallId, title: command, kind: "execute", rawInput: { command, ...more } },
      on: { yes: [{ update: { toolCallId, status: "completed" } }] },
    });

    const result = await agents.run(
      run("c1", "git status"),
      { ask: { toolCallId: "c2", title: "Edit", kind: "edit", locations: [{ path: agents.file("secret.txt") }] } },
      { say: "Done." },
    );
    assert.deepEqual([result.status.code, agents.log("chosen")], ["success", ["yes", "no"]]);
    // What it adds could change what runs.
    await agents.run(run("c3", "git status", { env: { GIT_PAGER: "sh" } }));
    assert.equal((await agents.pending()).length, 1);
  });

  it("that asks for a second permission before it does what it was allowed is asked about both", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const ask = (toolCallId: string): AgentStep => ({ ask: { toolCallId, title: toolCallId, kind: "execute" } });
    await agents.run(
      ask("outer"),
      ask("inner"),
      { update: { toolCallId: "outer", status: "completed" } },
      { say: "Both." },
    );
    for (const title of ["outer", "inner"]) {
      const [call, ...others] = await agents.pending();
      assert.partialDeepStrictEqual(call?.input, { title });
      assert.equal(others.length, 0);
      await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "" }] });
    }
    assert.equal((await agents.thread()).at(-1)?.content, "Both.");
    assert.deepEqual(agents.log("chosen"), ["yes", "yes"]);
  });

  it("is not allowed what the user has edited, and is told of it", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    await agents.run({ ask: { toolCallId: "c1", title: "Run", kind: "execute", rawInput: { command: "make" } } });
    const [call] = await agents.pending();
    const input = { ...(call?.input as object), command: "make test" };
    await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "", input }] });

    assert.deepEqual(agents.log("chosen"), ["no"]);
    assert.match(agents.prompts().at(-1) ?? "", /does not want that, but this instead:[\s\S]*make test/);
  });

  it("that waits for a decision when the host is killed is told of the decision, and may ask again", async () => {
    await using agents = await AgentHost.start();
    await agents.open("resume");
    const ask: AgentStep = {
      ask: { toolCallId: "c1", title: "Run it", kind: "execute", rawInput: { command: "make" } },
    };
    await agents.run(ask, { say: "Made." });
    await agents.host.kill();
    await agents.startHost();
    await agents.host.send(TeamOpen, { teamId: "t" });
    const [call] = await agents.pending();
    const { result } = await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "" }] });

    assert.equal(result?.status.code, "success");
    assert.match(
      agents.prompts().at(-1) ?? "",
      /you asked for agent:execute [\s\S]*make[\s\S]*you allowed it, and may ask again/,
    );
  });
});
