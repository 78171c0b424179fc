import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import type { GavelError } from "../../shared/contract/errors.ts";
import { modelFor } from "../../shared/state/model-choice.ts";
import { createTeam } from "./create-team.ts";
import { ScriptedModel } from "./testing/scripted-model.ts";
import { testTool } from "./testing/test-tool.ts";

const create = (changes: Partial<TeamDefinition>) =>
  createTeam({
    teamId: "t",
    definition: { name: "Test", kind: "roundRobin", participants: [{ name: "ann" }], ...changes },
    parts: {
      model: () => new ScriptedModel(),
      tool: (wanted) => (wanted === "look" ? testTool("look") : undefined),
    },
  });

test("a definition with several problems: all are reported at once, each with its path", () => {
  const participants: TeamDefinition["participants"] = [
    { name: "ann", tools: ["look", "lock", { name: "own", description: "", inputSchema: {} }] },
    { name: "bob", model: "large" },
    { name: "cyd", kind: "team" },
    {
      name: "dee",
      kind: "team",
      team: { name: "Inner", kind: "roundRobin", participants: [{ name: "eve", tools: ["lick"] }] },
    },
  ];

  assert.throws(
    () => create({ participants, models: { small: { provider: "openai", model: "s" } } }),
    ({ data }: GavelError) => {
      assert.equal(data.code, "InvalidDefinition");
      assert.deepEqual(data["problems"], [
        { path: "participants[0].tools[1]", message: 'unknown tool "lock"' },
        { path: "participants[0].tools[2]", message: 'unknown tool "own"' },
        { path: "participants[1].model", message: 'there is no model "large" in models; the team has small' },
        { path: "participants[2].team", message: "is missing; describe the nested team in `team`" },
        { path: "participants[3].team.participants[0].tools[0]", message: 'unknown tool "lick"' },
      ]);
      return true;
    },
  );
});

test("a participant's model is the one it names, else default, else the only one, else the host's setting", () => {
  const model = (name: string) => ({ provider: "openai" as const, model: name });
  const chosen = (models: TeamDefinition["models"], named?: string, fallback?: ReturnType<typeof model>) => {
    const participant = { name: "ann", ...(named === undefined ? {} : { model: named }) };
    const found = modelFor(participant, { models }, fallback);
    return typeof found === "string" || !("model" in found) ? found : `is ${found.model}`;
  };
  const [a, b] = [model("a"), model("b")];

  assert.equal(chosen({ a, b }, "b"), "is b");
  assert.equal(chosen({ a, default: b }), "is b");
  assert.equal(chosen({ a }), "is a");
  assert.equal(chosen({}, undefined, b), "is b");
  assert.equal(chosen({ a, b: b }, undefined, model("host")), "is host");
  assert.equal(
    chosen({ a, b }),
    "ann has no model; add models.default to the team, or set gavel.model in the settings",
  );
  assert.equal(chosen(undefined, "b"), 'there is no model "b" in models; the team has none');
});
