import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { SensitiveFiles } from "../../engine/index.ts";
import { folderOf } from "../../tools/testing.ts";
import { readTeamText, type TeamFileContent } from "../team-file/parse-team-file.ts";
import { resolver } from "./resolver.ts";

const tools = ["readFile", "listFiles", "searchText", "editFile", "writeFile", "runCommand"];
const around = { tools, hasDefaultModel: false, user: "user" };

/** Reads a team file in a folder with other files. */
async function read(
  folder: string,
  text: string,
  mayRead: (path: string) => Promise<void> = async () => {},
): Promise<TeamFileContent> {
  const roots = [folder];
  const files = new SensitiveFiles({
    roots: () => roots,
    added: () => ({ protectedFiles: [], secretFiles: [] }),
    ownFolders: [],
  });
  const uri = pathToFileURL(join(folder, "teams", "a.team.yaml")).href;
  return readTeamText(text, around, resolver({ roots: () => roots, files }, { uri, tools, mayRead }));
}

const team = (rest: string): string =>
  `name: Talk\nkind: roundRobin\nmodels: { default: { provider: practice } }\n${rest}`;

async function definitionOf(folder: string, text: string) {
  const content = await read(folder, text);
  assert.ok(content.ok, JSON.stringify(content));
  return {
    participants: content.definition.participants,
    notes: content.notes.map((note) => `${note.line} ${note.message}`),
  };
}

/** The problems as `line path: message`. */
async function problemsOf(folder: string, text: string): Promise<string[]> {
  const content = await read(folder, text);
  return content.ok ? [] : content.problems.map(({ line, path, message }) => `${line} ${path}: ${message}`);
}

const AUTHOR = `---
name: Code Author
description: 'Writes code'
tools: ['read', 'edit', 'execute/runInTerminal', 'web/fetch', 'github/*']
model: GPT-5 (copilot)
handoffs:
  - label: Review it
    agent: reviewer
    prompt: Review this.
    send: false
mcp-servers: { x: { command: rm } }
user-invocable: true
---
Write the code.
`;
const REVIEWER = `---
name: reviewer
description: Reviews code
tools: Read, Grep, Bash(git diff:*, git log:*)
model: sonnet
color: red
hooks: { PreToolUse: [] }
---

You review code.
`;
const MODES = `customModes:
  - slug: architect
    name: Architect
    roleDefinition: You design.
    whenToUse: Use it for design.
    groups:
      - read
      - - edit
        - fileRegex: \\.md$
          description: Markdown
      - browser
    customInstructions: Be brief.
  - slug: ask
    name: Ask
    roleDefinition: You answer.
`;

describe("agents of other tools in a team file", () => {
  it("take part with their names, descriptions, instructions and tools, and what is left out is told with its place", async (t) => {
    const folder = folderOf(t, {
      ".github/agents/author.agent.md": AUTHOR,
      ".claude/agents/reviewer.md": REVIEWER,
      ".roomodes": MODES,
    });
    const { participants, notes } = await definitionOf(
      folder,
      team(
        "participants:\n  - agent: .github/agents/author.agent.md\n  - agent: ../.claude/agents/reviewer.md\n    name: checker\n    instructions: Be kind.\n  - agent: .roomodes#architect\n    tools: [readFile]\n",
      ),
    );
    assert.deepEqual(participants, [
      {
        name: "Code-Author",
        description: "Writes code",
        tools: ["readFile", "listFiles", "searchText", "editFile", "writeFile", "runCommand"],
        instructions: "Write the code.",
      },
      {
        name: "checker",
        description: "Reviews code",
        tools: ["readFile", "listFiles", "searchText", "runCommand"],
        instructions: "You review code.\n\nBe kind.",
      },
      {
        name: "architect",
        description: "Use it for design.",
        tools: ["readFile"],
        instructions: "You design.\n\nBe brief.",
      },
    ]);
    assert.deepEqual(notes, [
      '5 .github/agents/author.agent.md: "mcp-servers" is not used.',
      '5 .github/agents/author.agent.md: "user-invocable" is not used.',
      '5 .github/agents/author.agent.md: there is no tool for "web/fetch".',
      '5 .github/agents/author.agent.md: there is no tool for "github/*".',
      '5 .github/agents/author.agent.md: the model "GPT-5 (copilot)" is not taken over; add it to models, or the team\'s model is used.',
      "5 .github/agents/author.agent.md: its handoffs are not taken over.",
      '6 ../.claude/agents/reviewer.md: "hooks" is not used.',
      '6 ../.claude/agents/reviewer.md: what "Bash(git diff:*, git log:*)" restricts is not taken over; your approval rules hold.',
      '6 ../.claude/agents/reviewer.md: the model "sonnet" is not taken over; add it to models, or the team\'s model is used.',
      "9 .roomodes#architect: the files that a group is restricted to; your approval rules hold.",
    ]);
  });

  it("hand over in a swarm, and have a model that the team has under its name", async (t) => {
    const folder = folderOf(t, { "a.agent.md": AUTHOR.replace("GPT-5 (copilot)", "default"), "reviewer.md": REVIEWER });
    const { participants } = await definitionOf(
      folder,
      team("participants:\n  - { agent: a.agent.md }\n  - { agent: reviewer.md }\n").replace("roundRobin", "swarm"),
    );
    assert.deepEqual(
      [participants[0]?.handoffs, participants[0]?.model],
      [[{ target: "reviewer", description: "Review it" }], "default"],
    );
  });

  it("without tools only read files", async (t) => {
    const folder = folderOf(t, { "plain.agent.md": "Just do it." });
    const { participants, notes } = await definitionOf(folder, team("participants: [{ agent: plain.agent.md }]\n"));
    assert.deepEqual(participants[0], {
      name: "plain",
      instructions: "Just do it.",
      tools: ["readFile", "listFiles", "searchText"],
    });
    assert.match(notes[0] ?? "", /names no tools, so it reads files only/);
  });

  it("have their mistakes told at the reference, with the line of the agent file, and nothing else is told of them", async (t) => {
    const folder = folderOf(t, {
      "bad.md": "---\nname: x\ntools: [1]\n---\nText.",
      "broken.md": "---\nname: x\n  y: : z\n---\nText.",
      "empty.md": "---\nname: x\n---\n",
      "bomb.md": `---\na: &a [x]\nb: [${"*a, ".repeat(60)}*a]\n---\nText.`,
      "deep.md": `---\na: ${"[".repeat(5000)}\n---\nText.`,
      "key.md": "---\n? [a]\n: b\n---\nText.",
      ".env.md": "SECRET=1",
      "user.md": "---\nname: user\n---\nText.",
      ".roomodes": MODES,
    });
    const files = [
      "bad.md",
      "broken.md",
      "empty.md",
      "bomb.md",
      "deep.md",
      "key.md",
      "user.md",
      "gone.md",
      ".roomodes",
    ];
    const others = [".roomodes#zoe", "a.sh", "/etc/passwd.md", "../../up.md"];
    const problems = await problemsOf(
      folder,
      team(`participants:\n${[...files, ...others].map((file) => `  - agent: "${file}"\n`).join("")}`),
    );
    assert.deepEqual(
      problems.map((problem) => problem.replace(/ cannot be read: .*/, " cannot be read: …")),
      [
        "5 participants[0].agent: bad.md, line 3: tools should be names",
        "6 participants[1].agent: broken.md, line 2: cannot be read: …",
        "7 participants[2].agent: empty.md, line 1: has no instructions; write them below its fields",
        "8 participants[3].agent: bomb.md, line 2: repeats values with aliases; write them out",
        "9 participants[4].agent: deep.md, line 2: is nested too deep; make it flatter",
        "10 participants[5].agent: key.md, line 2: has a key that is a map or a list",
        "11 participants[6].agent: user.md, line 2: has no name that a participant can have; add one",
        '12 participants[7].agent: There is no "gone.md" in the workspace.',
        '13 participants[8].agent: ".roomodes" has several agents; name one of them, as in .roomodes#architect',
        '14 participants[9].agent: ".roomodes" has no agent "zoe"; it has architect, ask',
        '15 participants[10].agent: "a.sh" is no agent file; name a Markdown file or .roomodes',
        '16 participants[11].agent: "/etc/passwd.md" is outside the workspace; give a path within it.',
        '17 participants[12].agent: "../../up.md" cannot be read: …',
      ],
    );
  });

  it("never inherit a name, and a prototype’s key is only text", async (t) => {
    const folder = folderOf(t, { "a.md": "---\n__proto__: { name: evil }\nconstructor: 1\n---\nText." });
    const { participants, notes } = await definitionOf(folder, team("participants: [{ agent: a.md }]\n"));
    assert.equal(participants[0]?.name, "a");
    assert.match(notes.join("\n"), /"constructor" is not used/);
  });
});

describe("instructions and skills in a team file", () => {
  it("are added to those of each assistant; a skill’s body is left for when it is needed", async (t) => {
    const folder = folderOf(t, {
      "AGENTS.md": "Use tabs.",
      "docs/style.md": "---\nmode: always\n---\nBe brief.",
      ".claude/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Reads\n  PDF files\n---\nA long body.",
      ".claude/skills/notes.txt": "",
    });
    const { participants } = await definitionOf(
      folder,
      team(
        "instructionFiles: [AGENTS.md]\nskills: [.claude/skills]\nparticipants:\n  - name: ann\n    instructions: You are ann.\n    instructionFiles: [docs/style.md]\n  - { name: user, kind: user }\n",
      ),
    );
    const [ann, user] = participants;
    assert.match(
      ann?.instructions ?? "",
      /^You are ann\.\n\nInstructions from AGENTS\.md:\n\nUse tabs\.\n\nA folder may have .*\n\nInstructions from docs\/style\.md:\n\nBe brief\.\n\nYou have skills: /,
    );
    assert.match(ann?.instructions ?? "", /- pdf \(\.claude\/skills\/pdf\/SKILL\.md\): Reads PDF files$/);
    assert.doesNotMatch(ann?.instructions ?? "", /A long body/);
    assert.deepEqual(ann?.tools, ["readFile"]);
    assert.deepEqual(user, { name: "user", kind: "user" });
  });

  it("are there without a skill that cannot be read, which is told with why", async (t) => {
    const folder = folderOf(t, {
      "skills/broken/SKILL.md": "---\nname: [\n---\n",
      "skills/pdf/SKILL.md": "---\ndescription: Reads PDF files\n---\n",
      "skills/vague/SKILL.md": "---\nname: vague\n---\n",
    });
    const { participants, notes } = await definitionOf(
      folder,
      team("skills: [skills]\nparticipants: [{ name: ann }]\n"),
    );
    assert.match(participants[0]?.instructions ?? "", /- pdf \(skills\/pdf\/SKILL\.md\): Reads PDF files$/);
    assert.deepEqual(
      notes.map((note) => note.replace(/(broken\/SKILL\.md, line \d+): .*/, "$1 …")),
      [
        "4 The team runs without a skill: skills/broken/SKILL.md, line 2 …",
        "4 The team runs without a skill: skills/vague/SKILL.md, line 1: has no description; say in its fields what it is for.",
      ],
    );
  });

  it("say which skill the user's rules keep from models, and why", async (t) => {
    const folder = folderOf(t, {
      "own/SKILL.md": "---\ndescription: One\n---\n",
      "all/one/SKILL.md": "---\ndescription: Two\n---\n",
    });
    const denied = async (): Promise<void> => {
      throw new Error("A rule denies that it is read.");
    };
    for (const [skills, path] of [
      ["own", "own/SKILL.md"],
      ["all", "all/one/SKILL.md"],
    ]) {
      const content = await read(folder, team(`skills: [${skills}]\nparticipants: [{ name: ann }]\n`), denied);
      const messages = content.ok ? [] : content.problems.map(({ message }) => message);
      assert.deepEqual(messages, [`"${path}" cannot be read: A rule denies that it is read.`]);
    }
  });

  it("are refused outside the workspace, through a link, of another kind, or where there are none", async (t) => {
    const outside = folderOf(t, { "rules.md": "Rules." });
    const folder = folderOf(t, {
      "run.sh": "",
      "empty/a.txt": "",
      ".aws/credentials.txt": "key",
      "bad/SKILL.md": "No fields.",
    });
    symlinkSync(join(outside, "rules.md"), join(folder, "link.md"));
    const problems = await problemsOf(
      folder,
      team(
        "instructionFiles: [link.md, run.sh, .aws/credentials.txt]\nskills: [empty, bad]\nparticipants: [{ name: ann, agent: 7 }]\n",
      ),
    );
    assert.deepEqual(
      problems.map((problem) => problem.replace(/link\.md" is a link that leads.*/, 'link.md" is a link that leads …')),
      [
        '4 instructionFiles[0]: "link.md" is a link that leads …',
        '4 instructionFiles[1]: "run.sh" is no text for models; name a .md or .txt file',
        '4 instructionFiles[2]: ".aws/credentials.txt" may hold secrets, and is not shown to a model; name another file.',
        '5 skills[0]: "empty" has no SKILL.md, and neither has a folder in it',
        "5 skills[1]: bad/SKILL.md, line 1: has no description; say in its fields what it is for",
        "6 participants[0].agent: should be the path of an agent file",
      ],
    );
  });
});
