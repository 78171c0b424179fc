import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, stringify } from "yaml";
import { handoffToolName } from "../../server/engine/index.ts";
import type { ParticipantDefinition } from "../../shared/contract/definition.ts";
import {
  callSampleTool,
  copyOfSample,
  fileText,
  parseTeam,
  runSampleTests,
  scriptOf,
  scriptSteps,
  teamFiles,
  teamOf,
} from "./sample.ts";

/** All participants, those of nested teams included. */
const everyone = (participants: readonly ParticipantDefinition[]): readonly ParticipantDefinition[] =>
  participants.flatMap((one) => [one, ...(one.team === undefined ? [] : everyone(one.team.participants))]);

const withScripts = (file: string) =>
  everyone(teamOf(file).participants).filter(({ kind = "assistant" }) => kind !== "user" && kind !== "team");

for (const file of teamFiles) {
  test(`${file} is a valid team file, and describes every participant`, () => {
    for (const { name, kind = "assistant", description, instructions } of everyone(teamOf(file).participants)) {
      assert.ok(description, `${name} has no description`);
      assert.equal(instructions !== undefined, kind === "assistant" || kind === "societyOfMind", name);
    }
  });

  test(`${file} has lines for every participant that uses its model`, () => {
    for (const { name } of withScripts(file)) assert.ok(scriptOf(file, "lines").get(name)?.length, name);
  });

  test(`the models in the comments of ${file} are valid`, () => {
    const offers = [...fileText(file).matchAll(/^# {3}models:\n((?:# {4,}.*\n)+)/gm)];
    assert.ok(offers.length > 0);
    for (const [offer] of offers) {
      const { models } = parse(offer.replaceAll(/^# {3}/gm, "")) as { models: unknown };
      const definition = parseTeam(stringify({ ...teamOf(file), models }));
      assert.equal(definition.models?.["default"]?.provider, "openai");
    }
  });

  test(`every tool call in ${file} is allowed for its participant, and succeeds`, async () => {
    const root = copyOfSample();
    for (const { name, tools = [], handoffs = [], memory } of withScripts(file)) {
      const targets = handoffs.map((handoff) => (typeof handoff === "string" ? handoff : handoff.target));
      const own = [...targets.map(handoffToolName), ...(memory?.keep ? ["remember"] : [])];
      for (const { tool, input = {} } of scriptSteps(file, name).flatMap(({ calls = [] }) => calls)) {
        if (own.includes(tool)) continue;
        assert.ok(tools.includes(tool), `${name}: ${tool}`);
        const output = tool === "runCommand" ? await runSampleTests(root) : await callSampleTool(root, tool, input);
        assert.doesNotMatch(output, /No line of/);
      }
    }
  });

  test(`the README of the sample mentions ${file}`, () => {
    assert.ok(fileText("README.md").includes(`\`${file}\``));
  });
}
