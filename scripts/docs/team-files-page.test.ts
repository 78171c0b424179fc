import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parseTeamFile } from "../../server/host/team-file/parse-team-file.ts";
import { workspaceTools } from "../../server/tools/index.ts";
import { root } from "../root.ts";
import { keyUses } from "./key-uses.ts";
import { teamFilesPage, yamlExamples } from "./team-files-page.ts";

const page = readFileSync(join(root, teamFilesPage.path), "utf8");

describe("docs/TEAM-FILES.md", () => {
  const examples = yamlExamples(page);
  const tools = [...workspaceTools({ roots: () => [] }).keys()];

  it("has examples", () => assert.ok(examples.length > 5));

  for (const text of examples) {
    const [title = ""] = text.split("\n", 1);
    it(`shows a team that the host opens: ${title}`, () => {
      const content = parseTeamFile(text, { tools, hasDefaultModel: false, user: "user" });
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
