import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { resolver } from "../../server/host/agent-files/resolver.ts";
import { readTeamText } from "../../server/host/team-file/parse-team-file.ts";
import { workspaceTools } from "../../server/tools/index.ts";
import { folderOf } from "../../server/tools/testing.ts";
import { root } from "../root.ts";
import { keyUses } from "./key-uses.ts";
import { teamFilesPage, yamlExamples } from "./team-files-page.ts";

const page = readFileSync(join(root, teamFilesPage.path), "utf8");

/** The files that examples name. */
const FILES = {
  "AGENTS.md": "Use tabs.",
  "docs/style.md": "Be brief.",
  ".github/agents/author.agent.md": "Write.",
  ".claude/agents/reviewer.md": "Review.",
  ".roomodes": "customModes: [{ slug: architect, roleDefinition: Design. }]",
  ".github/skills/build/SKILL.md": "---\ndescription: Builds.\n---\n",
  ".claude/skills/release/SKILL.md": "---\ndescription: Releases.\n---\n",
};

describe("docs/TEAM-FILES.md", () => {
  const examples = yamlExamples(page);
  const tools = [...workspaceTools({ roots: () => [] }).keys()];

  it("has examples", () => assert.ok(examples.length > 5));

  for (const text of examples) {
    const [title = ""] = text.split("\n", 1);
    it(`shows a team that the host opens: ${title}`, async (t) => {
      const folder = folderOf(t, FILES);
      const resolve = resolver({ roots: () => [folder] }, { uri: undefined, tools, mayRead: async () => {} });
      const content = await readTeamText(text, { tools, hasDefaultModel: false, user: "user" }, resolve);
      assert.deepEqual(content.ok ? [] : content.problems, []);
    });
  }

  it("cannot be generated when a key has no example", () => {
    assert.throws(() => teamFilesPage.render(page.replaceAll("maxStalls: 2", "")), {
      message: /^no example uses Team\.magentic\.maxStalls$/,
    });
  });
});

describe("the uses of keys", () => {
  const definitions = {
    Team: {
      properties: {
        members: { type: "array", items: { anyOf: [{ type: "string" }, { $ref: "#/definitions/Member" }] } },
        models: { type: "object", additionalProperties: { $ref: "#/definitions/Model" } },
        limits: { properties: { turns: { type: "integer" } } },
      },
    },
    Member: { properties: { name: { type: "string" } } },
    Model: { properties: { provider: { const: "x" } } },
  };

  it("are found in lists, choices and maps, each under its own definition", () => {
    const team = { members: ["ann", { name: "bob" }], models: { small: { provider: "x" } }, limits: { turns: 2 } };
    assert.deepEqual(
      keyUses(team, "Team", definitions).map(({ definition, keys }) => `${definition}: ${keys}`),
      ["Team: members", "Member: name", "Team: models", "Model: provider", "Team: limits", "Team: limits.turns"],
    );
  });
});
