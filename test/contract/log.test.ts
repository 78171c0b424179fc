import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import {
  ApprovalsAdd,
  TeamDelete,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamResolveTools,
  TeamRun,
} from "../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../shared/contract/team.ts";
import { HostClient, type LogLine } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { beginLongRun } from "./harness/long-run.ts";
import { roundRobin } from "./harness/teams.ts";

const KEY = "sk-secret-123";
const TASK = "the task that no log may have";
const INPUT = "the input that no log may have";

const linesAt = (lines: readonly LogLine[], level: LogLine["level"]): string[] =>
  lines.flatMap((line) => (line.level === level ? [line.message] : []));

function assertLine(lines: readonly string[], pattern: RegExp): void {
  assert.ok(
    lines.some((line) => pattern.test(line)),
    `${pattern} is not in:\n${lines.join("\n")}`,
  );
}

/** A team whose participant calls a tool of the client that needs approval. */
const askingTeam = (baseUrl: string): TeamDefinition => ({
  ...roundRobin({ names: ["ann"], maxTurns: 1 }),
  models: { default: { provider: "openai", model: "test", baseUrl, apiKey: { secret: "test" } } },
  participants: [
    {
      name: "ann",
      instructions: "I am ann.",
      tools: [{ name: "deploy", description: "Deploys.", inputSchema: { type: "object" }, approval: "ask" }],
    },
  ],
});

const pendingTools = ({ pendingTools: calls }: TeamSnapshot) => calls.map(({ ref }) => ({ ref }));

describe("the log", () => {
  let lines: readonly LogLine[] = [];

  before(async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start({ keys: { test: KEY }, onToolCall: () => ({ output: "done" }) });
    await beginLongRun(host, endpoint);
    await host.send(TeamInterrupt, { teamId: "t", reason: TASK, message: TASK });
    await host.send(TeamDelete, { teamId: "t" });

    endpoint.mock.clearFixtures();
    endpoint.calls("ann", [{ id: "call", name: "deploy", arguments: JSON.stringify({ text: INPUT }) }]);
    endpoint.says("ann", "deployed");
    await host.send(TeamOpen, { teamId: "tools", definition: askingTeam(endpoint.baseUrl) });
    await host.send(TeamRun, { teamId: "tools", task: TASK });
    const rule = { decision: "allow", tool: "other", command: INPUT, scope: "workspace" } as const;
    await host.send(ApprovalsAdd, { rule });
    const restart = pendingTools(await host.send(TeamInspect, { teamId: "tools" }));
    await host.send(TeamResolveTools, { teamId: "tools", restart });
    await host.shutdown();
    lines = host.logs;
  });

  it("has no errors if nothing fails", () => {
    assert.deepEqual(linesAt(lines, "error"), []);
  });

  it("says when the host starts and shuts down, and for which client", () => {
    const info = linesAt(lines, "info");
    assertLine(info, /^Host started: process \d+, Node v\d+.*, protocol 1, for .*, state in memory\.$/);
    assertLine(info, /^Host is shutting down\.$/);
  });

  it("has a line for each team that is opened and deleted, with its name and id", () => {
    const info = linesAt(lines, "info");
    assertLine(info, /^Team "Talk" \(t\) opened: idle, 0 messages\.$/);
    assertLine(info, /^Team "Talk" \(t\) deleted\.$/);
  });

  it("has the start and end of each run, with its id, duration, stop reason and counts", () => {
    const info = linesAt(lines, "info");
    assertLine(info, /^Run \S+ of team "Talk" \(t\): started by run\.$/);
    assertLine(
      info,
      /: ended after \d+ ms: interrupted \(external_interrupt\), stop reason "USER_INTERRUPT", \d+ tokens, /,
    );
    assertLine(
      info,
      /: ended after \d+ ms: interrupted \(tool_interrupt\), stop reason "TOOL_INTERRUPT", \d+ tokens, 1 message\.$/,
    );
  });

  it("has each interrupt, with its duration and what it left", () => {
    const info = linesAt(lines, "info");
    assertLine(info, /of team "Talk" \(t\): interrupt \S+ requested by user: pause, now, whole team\.$/);
    assertLine(info, /: interrupt \S+ completed after \d+ ms: 1 partial message, 0 abandoned calls, status paused\.$/);
  });

  it("has each decision on a tool call, and each change of the rules", () => {
    const info = linesAt(lines, "info");
    assertLine(info, /: call \S+ of deploy by ann waits for approval\.$/);
    assertLine(info, /: call \S+ resolved by user: restart\.$/);
    assertLine(info, /^Approval rule \S+ added: allow other, scope workspace\.$/);
    assertLine(linesAt(lines, "debug"), /^Call of deploy by ann in team tools: ask\.$/);
  });

  it("has no key, no task, no message and no input of a tool", () => {
    const text = lines.map(({ message }) => message).join("\n");
    for (const secret of [KEY, TASK, INPUT, "deployed", "I am ann", "word1"])
      assert.doesNotMatch(text, new RegExp(secret));
  });
});
