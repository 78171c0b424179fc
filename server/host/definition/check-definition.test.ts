import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkDefinition, toProblems } from "./check-definition.ts";
import { editDistance, nearest } from "./nearest.ts";
import { pathSteps, pathText } from "./path.ts";

const options = { tools: [], hasDefaultModel: true, user: "user" };
const ann = { name: "ann" };
const talk = { name: "Talk", kind: "roundRobin", participants: [ann] };

function check(definition: unknown): string[] {
  const checked = checkDefinition(definition, { ...options, unknownKeys: "drop" });
  return checked.ok ? [] : toProblems(checked.problems).map(({ path, message }) => `${path}: ${message}`);
}

describe("a definition from a client", () => {
  it("loses keys of a later version, at any depth", () => {
    const definition = {
      ...talk,
      hologram: 1,
      participants: [{ ...ann, colour: "red", tools: [{ name: "x", description: "", inputSchema: {}, zoom: 1 }] }],
      models: { a: { provider: "practice", weather: true } },
    };
    const checked = checkDefinition(definition, { ...options, unknownKeys: "drop" });
    assert.ok(checked.ok);
    assert.doesNotMatch(JSON.stringify(checked.definition), /hologram|colour|zoom|weather/);
  });

  it("is refused for a key that looks like a typing mistake", () => {
    assert.deepEqual(check({ ...talk, participants: [{ ...ann, modle: "x" }] }), [
      'participants[0].modle: unknown key "modle"; did you mean "model"?',
    ]);
  });

  it("is refused when it is nested too deeply", () => {
    let team: unknown = talk;
    for (let depth = 0; depth < 5_000; depth++) team = { ...talk, participants: [{ name: "ann", kind: "team", team }] };
    assert.deepEqual(check(team), [": is nested more than 100 levels deep; make it flatter"]);
  });

  it("may use names that JavaScript objects have", () => {
    assert.deepEqual(check({ ...talk, participants: [{ name: "constructor", model: "toString" }] }), [
      'participants[0].model: unknown model "toString"; the team has no `models`',
    ]);
    assert.deepEqual(
      check(JSON.parse(`{"__proto__": {}, "name": "Talk", "kind": "roundRobin", "participants": [{"name": "ann"}]}`)),
      ['__proto__: "__proto__" cannot be a key; choose another name'],
    );
    assert.deepEqual(check({ ...talk, participants: [{ name: "__proto__" }] }), [
      'participants[0].name: "__proto__" cannot be a name; choose another',
    ]);
  });
});

describe("similar words", () => {
  it("are compared by changed characters, a swap counting as one", () => {
    assert.equal(editDistance("model", "modle"), 1);
    assert.equal(editDistance("kitten", "sitting"), 3);
    assert.equal(editDistance("", "abc"), 3);
  });

  it("are close", () => {
    assert.equal(nearest("instrutions", ["instructions", "description"]), "instructions");
    assert.equal(nearest("hologram", ["name", "kind", "models"]), undefined);
  });
});

it("a path is written as in code", () => {
  assert.equal(pathText(["participants", 0, "tools", 1]), "participants[0].tools[1]");
  assert.equal(pathText(["models", "gpt 5"]), 'models["gpt 5"]');
  for (const path of [[], ["a"], ["a", 0, 1, "b"], ["models", 'a "b" [0].c', "d"], ["gpt 5"], [0, "ä-ö", "x"]]) {
    assert.deepEqual(pathSteps(pathText(path)), path);
  }
});
