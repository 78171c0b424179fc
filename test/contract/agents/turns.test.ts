import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { root } from "../../../scripts/root.ts";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { TeamDelete, TeamReset, TeamResolveTools, TeamRun } from "../../../shared/contract/requests.ts";
import type { AgentStep } from "../../fixtures/acp-agent/agent.ts";
import { AgentHost, hasEnded, steps } from "./agent-host.ts";

describe("an agent program as a participant: its turns", () => {
  it("streams its text, thoughts, plans, calls and usage as ours", async () => {
    await using agents = await AgentHost.start();
    await agents.open();

    const turn: readonly AgentStep[] = [
      { think: "Hm." },
      { plan: [{ content: "Look", priority: "high", status: "in_progress" }] },
      { say: "I look. " },
      {
        call: {
          toolCallId: "c1",
          title: "Look around",
          kind: "search",
          status: "in_progress",
          rawInput: { query: "x" },
        },
      },
      {
        update: {
          toolCallId: "c1",
          status: "completed",
          content: [{ type: "content", content: { type: "text", text: "3 found" } }],
        },
      },
      { say: "Three " },
      { say: "are there." },
      { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } },
      { cost: 0.25 },
    ];
    const result = await agents.run(...turn);

    assert.equal(result.status.code, "success");
    assert.equal(result.messages.at(-1)?.content, "Three are there.");
    assert.deepEqual(result.usage, { prompt: 10, completion: 5, total: 15, cost: 0.25 });
    const [requested] = agents.events("tool/requested");
    assert.partialDeepStrictEqual(requested, {
      content: "I look. ",
      calls: [{ name: "agent:search", input: { title: "Look around", details: { query: "x" } } }],
    });
    assert.partialDeepStrictEqual(agents.events("tool/executed")[0], { output: "3 found", isError: false });
    const thoughts = agents.events("reasoning/thought").map((event) => "message" in event && event.message);
    assert.deepEqual(thoughts, ["Hm.", "Plan:\n- [~] Look"]);
    assert.deepEqual(agents.prompts(), [steps(...turn)]);
  });

  it("is shown images where it takes them, and its tokens count for a budget", async () => {
    await using agents = await AgentHost.start();
    await agents.open("image", { maxTurns: 5, termination: { tokenUsage: { total: 10 } } });
    const uri = "data:image/png;base64,iVBORw0KGgo=";
    const text = steps({ say: "Seen." }, { usage: { inputTokens: 8, outputTokens: 4, totalTokens: 12 } });
    const result = await agents.host.send(TeamRun, {
      teamId: "t",
      task: [
        { type: "text", text },
        { type: "image", uri },
      ],
    });

    assert.match(result.stopReason ?? "", /[Tt]oken/);
    assert.partialDeepStrictEqual(agents.log("prompt")[0], [
      { type: "text" },
      { type: "image", mimeType: "image/png" },
    ]);
  });

  it("is told only what it has not seen, with the names of speakers; another conversation is told again", async () => {
    await using agents = await AgentHost.start();
    const [ann, bob] = [agents.participant("ann", ""), agents.participant("bob", "")];
    await agents.open("", { participants: [{ ...ann, instructions: "You are brief." }, bob], maxTurns: 3 });
    await agents.host.send(TeamRun, { teamId: "t", task: "Hello." });

    const [first, second] = agents.prompts("ann");
    assert.equal(first, "You are brief.\n\nHello.".replace("\n\n", "\n"));
    assert.match(second ?? "", /^What has been said since:\n\nbob:\n````?\n/);
    assert.ok(second?.includes("Hello.") && !second.includes("ann (you)"));
    assert.match(
      agents.prompts("bob")[0] ?? "",
      /You are bob, one of several participants[\s\S]*user \(the user\):\n```\nHello\.[\s\S]*ann:\n/,
    );
    await agents.host.send(TeamReset, { teamId: "t" });
    await agents.host.send(TeamRun, { teamId: "t", task: "Again." });
    assert.ok(agents.prompts("ann").includes("You are brief.\nAgain."));
    assert.equal(agents.log("new", "ann").length, 2);
    await agents.host.send(TeamDelete, { teamId: "t" });
    const [pid] = agents.log("pid") as number[];
    await hasEnded(pid);
  });

  it("hands over by a last line, in a nested team too, and goes on with the same session", async () => {
    await using agents = await AgentHost.start();
    const [ann, bob] = [agents.participant("ann", "", { handoffs: ["bob"] }), agents.participant("bob", "")];
    const inner: TeamDefinition = { name: "Inner", kind: "swarm", participants: [ann, bob], maxTurns: 2 };
    await agents.open("", { participants: [{ name: "pair", kind: "team", team: inner }] });

    await agents.run({ say: "Yours.\nHANDOFF: bob" });
    assert.partialDeepStrictEqual(agents.events("handoff"), [{ path: ["pair"], from: "ann", to: "bob" }]);
    assert.match(agents.prompts("ann")[0] ?? "", /end your message with a line "HANDOFF: name"[\s\S]*- bob/);
    assert.equal(agents.prompts("bob").length, 1);
    await agents.run({ say: "Again." });
    assert.deepEqual([agents.log("new", "ann").length, agents.log("new", "bob").length], [1, 1]);
  });

  it("can be one that others serve: here a team of gavel acp, whose call is approved outside of it", async () => {
    await using agents = await AgentHost.start();
    const call = { tool: "writeFile", input: { path: "x.txt", content: "hi" } };
    const inner: TeamDefinition = {
      name: "Inner",
      kind: "roundRobin",
      participants: [{ name: "amy", tools: ["writeFile"] }],
      models: { default: { provider: "practice", pace: 0, lines: { amy: [{ calls: [call] }, "Written."] } } },
      maxTurns: 1,
    };
    agents.file("inner.team.json", JSON.stringify(inner));
    const args = [join(root, "dist", "cli.js"), "acp", "inner.team.json"];
    const storage = { XDG_DATA_HOME: agents.path("data"), XDG_CONFIG_HOME: agents.path("config") };
    await agents.open("", { participants: [agents.participant("ann", "", { args, env: storage })] });

    await agents.host.send(TeamRun, { teamId: "t", task: "Write it." });
    const [asked] = await agents.pending();
    assert.partialDeepStrictEqual(asked, { name: "agent:edit", input: { paths: [agents.file("x.txt")] } });
    await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: asked?.ref ?? "" }] });
    assert.equal((await agents.thread()).at(-1)?.content, "Written.");
    assert.equal(readFileSync(agents.file("x.txt"), "utf8"), "hi");
  });
});
