import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { PracticeLine, TeamDefinition } from "../../shared/contract/definition.ts";
import {
  ApprovalsAdd,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamResolveTools,
  TeamRun,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import { HostClient, type HostOptions, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";

const count = { name: "count", description: "Counts.", inputSchema: { type: "object" } };
const COUNT: PracticeLine = { calls: [{ tool: "count", input: {} }] };
const LONG = "long result ".repeat(20_000);

function countingTeam(lines: readonly PracticeLine[] = [COUNT, "Thank you."], review?: string[]): TeamDefinition {
  return {
    name: "Counting",
    kind: "roundRobin",
    participants: [{ name: "ann", tools: ["count", "readFile"], ...(review === undefined ? {} : { review }) }],
    models: { default: { provider: "practice", pace: 0, lines: { ann: [...lines] } } },
    maxTurns: 1,
  };
}

/** A host whose client has a tool that counts its calls. */
async function countingHost(options: HostOptions = {}) {
  const host = await HostClient.start(options);
  let calls = 0;
  host.connection.onRequest("tools/call", () => ({ output: `${LONG}${++calls}` }));
  await host.send(ToolsRegister, { tools: [count] });
  return { host, calls: () => calls, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

const executed = (host: HostClient) =>
  host.eventsOf("t").flatMap((event) => (event.type === "tool/executed" ? [event] : []));

describe("a result that the user reviews", () => {
  it("waits through a kill of the host, is not given again by the tool, and is sent as it is", async () => {
    using scratch = new Scratch();
    const storagePath = join(scratch.path, "store");
    let ref: string;
    {
      await using first = await countingHost({ storagePath });
      await first.host.send(TeamOpen, { teamId: "t", definition: countingTeam(undefined, ["count"]) });
      const run = await first.host.send(TeamRun, { teamId: "t", task: "go" });
      assert.equal(run.stopReason, "TOOL_INTERRUPT");
      const { pendingTools, status } = await first.host.send(TeamInspect, { teamId: "t" });
      assert.equal(status, "awaitingTools");
      assert.partialDeepStrictEqual(pendingTools, [
        { name: "count", review: true, interrupt: { kind: "review", output: `${LONG}1`, isError: false } },
      ]);
      ref = pendingTools[0]?.ref ?? "";
      await first.host.kill();
    }
    await using second = await countingHost({ storagePath });
    const { pendingTools } = await second.host.send(TeamOpen, { teamId: "t" });
    assert.partialDeepStrictEqual(pendingTools, [{ ref, review: true, interrupt: { output: `${LONG}1` } }]);
    const again = await refusal(second.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref }] }));
    assert.equal(again.data.code, "InvalidResume");
    const respond = [{ ref, output: `${LONG}1` }];
    const { result } = await second.host.send(TeamResolveTools, { teamId: "t", respond });
    assert.equal(result?.messages.at(-1)?.content, "Thank you.");
    assert.partialDeepStrictEqual(executed(second.host), [{ ref, reviewed: "sent", isError: false }]);
    assert.equal(second.calls(), 0);
  });

  it("is asked for by a rule of the user for every kind of tool, beside what the rule for approval says", async () => {
    using scratch = new Scratch();
    const folder = join(scratch.path, "workspace");
    mkdirSync(folder);
    writeFileSync(join(folder, "a.txt"), "from a file\n");
    await using team = await countingHost({ folders: [pathToFileURL(folder).href] });
    const { host } = team;
    const both: PracticeLine = {
      calls: [
        { tool: "count", input: {} },
        { tool: "readFile", input: { path: "a.txt" } },
        { tool: "readFile", input: { path: "none.txt" } },
      ],
    };
    await host.send(TeamOpen, { teamId: "t", definition: countingTeam([both, "Thank you."]) });
    await host.send(ApprovalsAdd, { rule: { decision: "review", tool: "*", scope: "run", team: "t" } });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const { pendingTools } = await host.send(TeamInspect, { teamId: "t" });
    assert.deepEqual(
      pendingTools.map(({ name, review, reason }) => [name, review, reason]).sort(),
      ["count", "readFile", "readFile"].map((name) => [
        name,
        true,
        'The rule "every tool, in this run" has you review the result of this call.',
      ]),
    );
    const [counted, read, failed] = ["count", "from a file", "none.txt"].map(
      (text) => pendingTools.find((call) => JSON.stringify([call.name, call.interrupt]).includes(text))?.ref ?? "",
    );
    assert.ok(counted !== undefined && read !== undefined && failed !== undefined);
    await host.send(TeamResolveTools, {
      teamId: "t",
      respond: [
        { ref: read, output: "edited" },
        { ref: failed, output: "no file" },
      ],
      deny: [{ ref: counted, reason: "too long" }],
    });
    assert.deepEqual(
      executed(host).map(({ ref, output, isError, reviewed }) => [ref, output, isError, reviewed]),
      [
        [read, "edited", false, "edited"],
        [failed, "no file", true, "edited"],
        [
          counted,
          "This call has run, but the user has reviewed its result and withholds it: too long",
          true,
          "withheld",
        ],
      ],
    );
    assert.equal(team.calls(), 1);
  });

  it("is withheld by an interrupt, with what the tool gave kept in the log, and the team goes on", async () => {
    await using team = await countingHost();
    const { host } = team;
    await host.send(TeamOpen, { teamId: "t", definition: countingTeam(undefined, ["*"]) });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const receipt = await host.send(TeamInterrupt, { teamId: "t" });
    assert.partialDeepStrictEqual(receipt, { status: "paused", cancelledTools: [{ name: "count" }] });
    assert.partialDeepStrictEqual(executed(host), [
      {
        output:
          "The user interrupted the team. This call has run, but the user has not reviewed its result, which is withheld.",
        interrupted: true,
      },
    ]);
    assert.ok(host.eventsOf("t").some((event) => JSON.stringify(event).includes(`${LONG}1`)));
    const next = await host.send(TeamRun, { teamId: "t" });
    assert.equal(next.messages.at(-1)?.content, "Thank you.");
    assert.equal(team.calls(), 1);
  });

  it("is for a rule that lasts longer than one call", async () => {
    await using host = await HostClient.start();
    const rule = { decision: "review" as const, tool: "count", scope: "once" as const, team: "t" };
    const refused = await refusal(host.send(ApprovalsAdd, { rule }));
    assert.match(JSON.stringify(refused.data), /a rule that reviews results cannot be for one call; use the scope/);
  });
});
