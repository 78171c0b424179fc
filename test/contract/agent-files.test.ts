import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import {
  AgentsFind,
  ApprovalsAdd,
  ApprovalsRemove,
  TeamChangeParticipants,
  TeamFileText,
  TeamInspect,
  TeamIsOutdated,
  TeamOpen,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";

const TEAM = `# Our review
name: Review
kind: graph
models: { default: { provider: practice } } # for now
participants:
  - agent: .claude/agents/ann.md # the author
  - name: bob
    instructions: "You are bob."
  - { name: cid }
graph:
  edges:
    - { from: ann, to: bob }
    - { from: bob, to: cid }
`;

async function workspaceWith(files: Readonly<Record<string, string>>) {
  const scratch = new Scratch();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(scratch.path, path)), { recursive: true });
    writeFileSync(join(scratch.path, path), text);
  }
  const host = await HostClient.start({
    storagePath: join(scratch.path, "home", "store"),
    folders: [pathToFileURL(scratch.path).href],
    environment: { HOME: join(scratch.path, "home"), USERPROFILE: join(scratch.path, "home") },
  });
  return { scratch, host, uri: pathToFileURL(join(scratch.path, "a.team.yaml")).href };
}

const ANN = "---\nname: ann\ndescription: Writes\ntools: Read, Zap\n---\nYou are ann.";

describe("agents of other tools", () => {
  it("are found in the workspace, with what is not taken over and what is wrong; the user’s own only when asked for", async () => {
    const { scratch, host } = await workspaceWith({
      ".claude/agents/ann.md": ANN,
      ".github/agents/bad.agent.md": "---\nname: [\n---\nText",
      ".roomodes": "customModes: [{ slug: archi, roleDefinition: Design. }, { slug: ask, roleDefinition: Ask. }]",
      "AGENTS.md": "Rules.",
      ".claude/skills/a/SKILL.md": "---\ndescription: x\n---\n",
      "home/.claude/agents/mine.md": "---\nname: mine\n---\nYou are mine.",
    });
    await using _host = host;
    using _scratch = scratch;
    const { agents, instructionFiles, skills } = await host.send(AgentsFind, {});
    assert.deepEqual(
      agents.map(({ reference, participant, problem }) => [reference, participant?.["name"], problem?.slice(0, 37)]),
      [
        [".github/agents/bad.agent.md", undefined, ".github/agents/bad.agent.md, line 2: "],
        [".claude/agents/ann.md", "ann", undefined],
        [".roomodes#archi", "archi", undefined],
        [".roomodes#ask", "ask", undefined],
      ],
    );
    assert.deepEqual(agents[1]?.leftOut, ['.claude/agents/ann.md: there is no tool for "Zap".']);
    assert.deepEqual([instructionFiles, skills], [["AGENTS.md"], [".claude/skills"]]);
    const own = (await host.send(AgentsFind, { own: true })).agents.at(-1);
    assert.deepEqual(
      [own?.reference, own?.file, own?.participant?.["instructions"]],
      [undefined, "~/.claude/agents/mine.md", "You are mine."],
    );
  });

  it("take part after a change, which is written into the team file with all that it says besides", async () => {
    const { scratch, host, uri } = await workspaceWith({
      "a.team.yaml": TEAM,
      ".claude/agents/ann.md": ANN,
      ".claude/agents/dora.md": "---\nname: dora\n---\nYou are dora.",
    });
    await using _host = host;
    using _scratch = scratch;
    await host.send(TeamOpen, { teamId: "t", uri });
    assert.deepEqual(await host.send(TeamFileText, { teamId: "t", text: TEAM }), { text: TEAM });
    const dora = (await host.send(AgentsFind, {})).agents.find(({ participant }) => participant?.["name"] === "dora");
    const changed = await host.send(TeamChangeParticipants, {
      teamId: "t",
      changes: [
        { remove: "bob", bridge: true },
        { add: dora?.participant, after: ["cid"] },
      ],
    });
    assert.deepEqual(changed.definition?.graph?.edges, [
      { from: "ann", to: "cid" },
      { from: "cid", to: "dora" },
    ]);
    const { text } = await host.send(TeamFileText, { teamId: "t", text: TEAM });
    assert.equal(
      text,
      `# Our review
name: Review
kind: graph
models: { default: { provider: practice } } # for now
participants:
  - agent: .claude/agents/ann.md # the author
  - { name: cid }
  - agent: .claude/agents/dora.md
graph:
  edges:
    - from: ann
      to: cid
    - from: cid
      to: dora
`,
    );
    writeFileSync(join(scratch.path, "a.team.yaml"), text);
    assert.deepEqual(await host.send(TeamIsOutdated, { teamId: "t" }), { isOutdated: true });
    const opened = await host.send(TeamOpen, { teamId: "t", uri });
    assert.deepEqual(
      opened.participants.map(({ name }) => name),
      ["ann", "cid", "dora"],
    );
    assert.deepEqual(await host.send(TeamIsOutdated, { teamId: "t" }), { isOutdated: false });
    writeFileSync(join(scratch.path, ".claude/agents/dora.md"), "---\nname: dora\n---\nYou are dora now.");
    assert.deepEqual(await host.send(TeamIsOutdated, { teamId: "t" }), { isOutdated: true });
    const refused = await refusal(host.send(TeamFileText, { teamId: "t", text: "name: [" }));
    assert.equal(refused.data.code, "InvalidParams");
    assert.deepEqual((await host.send(TeamInspect, { teamId: "t" })).participants.length, 3);
  });

  it("are not read where the user's rules keep them from models, nor are instructions and skills", async () => {
    const { scratch, host, uri } = await workspaceWith({
      "a.team.yaml": `name: A
kind: roundRobin
models: { default: { provider: practice } }
instructionFiles: [private/rules.md, AGENTS.md]
skills: [private/skill]
participants: [{ agent: private/ann.md }]
`,
      "AGENTS.md": "Rules.",
      "private/rules.md": "Hidden.",
      "private/ann.md": ANN,
      "private/skill/SKILL.md": "---\ndescription: x\n---\n",
    });
    await using _host = host;
    using _scratch = scratch;
    await host.send(TeamOpen, { uri });
    const denied = { tool: "readFile", path: "private/**", decision: "deny", scope: "workspace" } as const;
    const { rule } = await host.send(ApprovalsAdd, { rule: denied });
    const error = await refusal(host.send(TeamOpen, { uri }));
    const problems = "problems" in error.data ? error.data.problems.map(({ path }) => path) : [];
    assert.deepEqual(problems, ["instructionFiles[0]", "skills[0]", "participants[0].agent"]);
    assert.match(error.message, /rule/);
    await host.send(ApprovalsRemove, { id: rule.id });
    await host.send(TeamOpen, { uri });
  });
});
