import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import { TeamResolveTools, TeamRun, TeamSendUserMessage } from "../../../shared/contract/requests.ts";
import type { AgentStep } from "../../fixtures/acp-agent/agent.ts";
import { AgentHost } from "./agent-host.ts";

/** An agent that does these steps, one list for each prompt. */
function scripted(
  agents: AgentHost,
  name: string,
  ...prompts: readonly (readonly AgentStep[])[]
): ParticipantDefinition {
  const { env = {}, ...participant } = agents.participant(name, "");
  return { ...participant, description: name, env: { ...env, AGENT_STEPS: JSON.stringify(prompts) } };
}

const said = async (agents: AgentHost) =>
  (await agents.thread()).map(({ source, content }) => `${source}: ${String(content)}`);

describe("agent programs in teams of every kind", () => {
  it("speak in parallel branches of a graph, and the next is told what all of them said", async () => {
    await using agents = await AgentHost.start();
    await agents.open("", {
      kind: "graph",
      participants: [
        scripted(agents, "ann", [{ say: "A draft." }]),
        scripted(agents, "bob", [{ say: "It is right." }]),
        scripted(agents, "cat", [{ say: "It is clear." }]),
        scripted(agents, "dan", [{ say: "Done." }]),
      ],
      graph: {
        edges: [
          { from: "ann", to: "bob" },
          { from: "ann", to: "cat" },
          { from: "bob", to: "dan" },
          { from: "cat", to: "dan" },
        ],
      },
      maxTurns: 10,
    });
    const { status } = await agents.host.send(TeamRun, { teamId: "t", task: "Go" });
    assert.equal(status.code, "success", status.message);
    const thread = await said(agents);
    assert.deepEqual(thread.toSorted(), [
      "ann: A draft.",
      "bob: It is right.",
      "cat: It is clear.",
      "dan: Done.",
      "user: Go",
    ]);
    assert.equal(thread.at(-1), "dan: Done.");
    const [prompt = ""] = agents.prompts("dan");
    for (const text of ["A draft.", "It is right.", "It is clear."]) assert.ok(prompt.includes(text), prompt);
  });

  it("are chosen by the rules of a selector, and by a model", async () => {
    await using agents = await AgentHost.start();
    await agents.open("", {
      kind: "selector",
      participants: [
        scripted(agents, "ann", [{ say: "I ask bob." }], [{ say: "Good." }]),
        scripted(agents, "bob", [{ say: "I answer." }]),
      ],
      selector: { rules: [{ after: "ann", choose: "bob" }] },
      models: { default: { provider: "practice", lines: { selector: ["ann"] } } },
      maxTurns: 3,
    });
    const { status } = await agents.host.send(TeamRun, { teamId: "t", task: "Go" });
    assert.equal(status.code, "success", status.message);
    assert.deepEqual(await said(agents), ["user: Go", "ann: I ask bob.", "bob: I answer.", "ann: Good."]);
    assert.match(agents.prompts("ann")[1] ?? "", /I answer\./);
  });

  it("are led by an orchestrator, whose instructions they are told", async () => {
    await using agents = await AgentHost.start();
    const progress = (isDone: boolean) =>
      JSON.stringify({
        is_request_satisfied: { reason: "r", answer: isDone },
        is_in_loop: { reason: "r", answer: false },
        is_progress_being_made: { reason: "r", answer: true },
        next_speaker: { reason: "r", answer: "bob" },
        instruction_or_question: { reason: "r", answer: "Count the files." },
      });
    const magentic = ["1. Nothing.", "- bob: count.", progress(false), progress(true), "There are three."];
    await agents.open("", {
      kind: "magentic",
      participants: [scripted(agents, "ann", [{ say: "?" }]), scripted(agents, "bob", [{ say: "Three." }])],
      models: { default: { provider: "practice", lines: { magentic } } },
      maxTurns: 5,
    });
    const { status } = await agents.host.send(TeamRun, { teamId: "t", task: "How many?" });
    assert.equal(status.code, "success", status.message);
    const thread = await said(agents);
    assert.ok(thread.includes("bob: Three."), thread.join("\n"));
    assert.match(thread.at(-1) ?? "", /There are three\./);
    assert.match(agents.prompts("bob")[0] ?? "", /Count the files\./);
    assert.deepEqual(agents.prompts("ann"), []);
  });
});

describe("a message to an agent program that is at work", () => {
  it("that steers it is told at its next turn, and does not interrupt the one that it is at", async () => {
    await using agents = await AgentHost.start();
    const gate = agents.file("go");
    const turns: AgentStep[][] = [[{ say: "I begin. " }, { until: gate }, { say: "I end." }], [{ say: "With tests." }]];
    await agents.open("", { participants: [scripted(agents, "ann", ...turns)], maxTurns: 2 });
    const running = agents.host.send(TeamRun, { teamId: "t", task: "Go" });
    await agents.host.streamed("t", "I begin. ".length);
    const steered = agents.host.send(TeamSendUserMessage, {
      teamId: "t",
      messages: "Write tests too.",
      delivery: "steer",
    });
    await agents.host.event("t", ({ type }) => type === "userMessage/queued");
    assert.equal(agents.prompts().length, 1);
    agents.file("go", "");
    await Promise.all([running, steered]);

    assert.deepEqual(agents.log("cancel"), []);
    assert.deepEqual(await said(agents), [
      "user: Go",
      "ann: I begin. I end.",
      "user: Write tests too.",
      "ann: With tests.",
    ]);
    assert.equal(agents.prompts()[1], "Write tests too.");
    assert.equal(agents.log("new").length, 1, "it is the same session");
  });

  it("waits for its turn to end when it is queued", async () => {
    await using agents = await AgentHost.start();
    const ask: AgentStep = { ask: { toolCallId: "c1", title: "Run", kind: "execute", rawInput: { command: "true" } } };
    await agents.open("", { participants: [scripted(agents, "ann", [{ say: "First." }, ask], [{ say: "Second." }])] });
    const first = await agents.host.send(TeamRun, { teamId: "t", task: "Go" });
    assert.equal(first.stopReason, "TOOL_INTERRUPT");
    const queued = agents.host.send(TeamSendUserMessage, {
      teamId: "t",
      to: "ann",
      messages: "And the tests?",
      delivery: "queue",
    });
    await agents.host.event("t", (event) => event.type === "userMessage/queued");
    const [call] = await agents.pending();
    assert.equal(agents.prompts().length, 1);
    await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "" }] });
    assert.equal((await queued).stopReason, "TOOL_INTERRUPT");
    await agents.host.event("t", (event) => event.type === "userMessage/answered");
    const thread = await said(agents);
    assert.deepEqual(thread.slice(-2), ["user: And the tests?", "ann: Second."]);
    assert.equal(agents.prompts()[1], "And the tests?");
  });
});
