import assert from "node:assert/strict";
import { test } from "node:test";
import { canPractice, withModel } from "../../client/start/team-model-text.ts";
import type { TeamPattern } from "../../client/start/team-pattern.ts";
import {
  namesIn,
  namesProblem,
  teamFileName,
  teamPatterns,
  teamText,
  toolGroups,
} from "../../client/start/team-text.ts";
import { parseTeamFile } from "../../server/host/team-file/parse-team-file.ts";

const tools = toolGroups.flatMap((group) => group.tools);
const around = { tools, hasDefaultModel: true, user: "user" };

test("every new team is a team file without problems, with its names and with names that YAML reads otherwise", () => {
  for (const pattern of teamPatterns) {
    for (const names of [pattern.names, [...pattern.names, "null", "on"]]) {
      const file = parseTeamFile(teamText({ pattern, names, tools }), around);
      assert.deepEqual(file.ok ? [] : file.problems, [], pattern.id);
      if (file.ok)
        assert.deepEqual(
          file.definition.participants.map(({ name }) => name),
          names,
        );
    }
  }
});

test("a new team may name its model, or play lines without a key until it ends", () => {
  const model = { provider: "openai", model: 'a "b": c', baseUrl: "http://127.0.0.1:11434/v1" } as const;
  for (const pattern of teamPatterns) {
    const { names } = pattern;
    const own = parseTeamFile(teamText({ pattern, names, tools, model }), { ...around, hasDefaultModel: false });
    assert.deepEqual(own.ok ? own.definition.models : own.problems, { default: model }, pattern.id);
    if (!canPractice(pattern)) continue;
    const text = teamText({ pattern, names: [...names, "null"], tools, model: "practice" });
    const plays = parseTeamFile(text, { ...around, hasDefaultModel: false });
    assert.deepEqual(plays.ok ? [] : plays.problems, [], pattern.id);
  }
});

test("a draft gets the model that the user chose, unless it names its own", () => {
  const model = { provider: "vscode", vendor: "acme", model: "acme-small" } as const;
  assert.equal(
    withModel("name: Pair\n", model),
    "name: Pair\n\nmodels:\n  default: { provider: vscode, vendor: acme, model: acme-small }\n",
  );
  assert.equal(withModel("name: Pair\nmodels: {}\n", model), "name: Pair\nmodels: {}\n");
});

test("a team may have no tools, and a reviewer only reads", () => {
  const pattern = teamPatterns.find(({ id }) => id === "authorAndReviewer") as TeamPattern;
  assert.doesNotMatch(teamText({ pattern, names: ["ann", "bob"], tools: [] }), /tools:/);
  const file = parseTeamFile(teamText({ pattern, names: ["ann", "bob"], tools }), around);
  assert.deepEqual(file.ok && file.definition.participants.map((participant) => participant.tools), [
    tools,
    ["listFiles", "readFile", "searchText"],
  ]);
});

test("names are checked before the file is written", () => {
  const [one, two] = teamPatterns as readonly [TeamPattern, TeamPattern];
  assert.deepEqual(namesIn(" ann, bob;cleo dee,"), ["ann", "bob", "cleo", "dee"]);
  assert.equal(namesProblem(["ann", "bob"], two), undefined);
  assert.equal(namesProblem([], one), "Enter at least one name.");
  assert.match(namesProblem(["ann"], two) ?? "", /at least 2 names/);
  assert.match(namesProblem(["ann", "b b"], two) ?? "", /"b b" cannot be a name/);
  assert.match(namesProblem(["ann", "ann"], two) ?? "", /"ann" is taken/);
  assert.match(namesProblem(["ann", "user"], two) ?? "", /"user" is taken/);
  assert.equal(teamFileName(two), "author-and-reviewer");
});
