import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProgramQuestion } from "../../shared/contract/program.ts";
import {
  ApprovalsAdd,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamResolveTools,
  TeamRun,
} from "../../shared/contract/requests.ts";
import { HostClient, type HostOptions } from "../host-client.ts";
import { call, everything, withServers } from "./harness/mcp.ts";

/** A host whose user allows every program, and what was asked. */
async function hostAllowing(options: HostOptions = {}, answer: (question: ProgramQuestion) => boolean = () => true) {
  const asked: ProgramQuestion[] = [];
  const host = await HostClient.start({
    ...options,
    onProgram: (question) => {
      asked.push(question);
      return answer(question);
    },
  });
  return { host, asked };
}

const allowAll = { decision: "allow", tool: "*", scope: "workspace" } as const;

describe("tools of an MCP server of a team file", () => {
  it("run after the user has allowed the server and approved the call", async () => {
    const { host, asked } = await hostAllowing();
    await using _ = host;
    const definition = withServers({ all: everything }, ["all/echo"], [call("all/echo", { message: "hello" }), "done"]);
    await host.send(TeamOpen, { teamId: "t", definition });
    assert.deepEqual(asked, []);
    const stopped = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(stopped.stopReason, "TOOL_INTERRUPT");
    assert.equal(asked.length, 1);
    assert.partialDeepStrictEqual(asked[0], { use: "mcpServer", name: "all", start: { command: process.execPath } });
    const { pendingTools } = await host.send(TeamInspect, { teamId: "t" });
    assert.partialDeepStrictEqual(pendingTools, [{ name: "all/echo", input: { message: "hello" }, approval: true }]);
    const ref = pendingTools[0]?.ref ?? "";
    const { result } = await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref }] });
    assert.equal(result?.messages.at(-1)?.content, "done");
    const executed = await host.event("t", ({ type }) => type === "tool/executed");
    assert.partialDeepStrictEqual(executed, { name: "all/echo", output: "Echo: hello", isError: false });
  });

  it("do not run when the user does not allow the server: the run goes on, and the model is told why", async () => {
    const { host } = await hostAllowing({}, () => false);
    await using _ = host;
    const definition = withServers({ all: everything }, ["all/*"], [call("all/echo", { message: "x" }), "went on"]);
    await host.send(TeamOpen, { teamId: "t", definition });
    const { messages, status } = await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.equal(status.code, "success");
    assert.equal(messages.at(-1)?.content, "went on");
    const executed = await host.event("t", ({ type }) => type === "tool/executed");
    assert.match(JSON.stringify(executed), /There is no tool .*MCP server .*all.* the user did not allow it/);
  });

  it("are allowed by rules for a server's tools, and not by those for other programs of that name", async () => {
    const { host } = await hostAllowing();
    await using _ = host;
    const definition = withServers({ all: everything }, ["all/*"], [call("all/echo", { message: "x" }), "done"]);
    await host.send(TeamOpen, { teamId: "t", definition });
    const rule = { decision: "allow", tool: "all/*", scope: "workspace" } as const;
    await host.send(ApprovalsAdd, { rule: { ...rule, provider: "another program" } });
    assert.equal((await host.send(TeamRun, { teamId: "t", task: "go" })).stopReason, "TOOL_INTERRUPT");
    const { answered } = await host.send(ApprovalsAdd, { rule });
    assert.equal(answered?.length, 1);
  });

  it("stop within the grace when the user interrupts, and the server is told", async () => {
    const { host } = await hostAllowing();
    await using _ = host;
    const slow = call("all/trigger-long-running-operation", { duration: 60, steps: 60 });
    const definition = withServers(
      { all: everything },
      ["all/*"],
      [slow, call("all/echo", { message: "after" }), "done"],
    );
    await host.send(TeamOpen, { teamId: "t", definition });
    await host.send(ApprovalsAdd, { rule: allowAll });
    const run = host.send(TeamRun, { teamId: "t", task: "go" });
    await host.event("t", ({ type }) => type === "tool/output");
    const { abandonedTools } = await host.send(TeamInterrupt, { teamId: "t" });
    assert.deepEqual(abandonedTools, []);
    assert.equal((await run).stopReason, "USER_INTERRUPT");
    const { messages } = await host.send(TeamRun, { teamId: "t" });
    assert.equal(messages.at(-1)?.content, "done");
  });
});
