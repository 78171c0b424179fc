import assert from "node:assert/strict";
import { test } from "node:test";
import { modelName, modelNames } from "./model-name.ts";

const acme = { vendor: "acme", family: "small", id: "acme-small", name: "Acme Small" };
const other = { vendor: "other", family: "small", id: "acme-small", name: "Other Small" };
const offered = [acme, other, { vendor: "acme", family: "large", id: "acme-large", name: "Acme Large" }];
const editorModel = (name: string, vendor?: string) => ({ provider: "vscode", name, ...(vendor && { vendor }) });

test("a model of VS Code is shown by its name, whichever way the definition identifies it", () => {
  assert.equal(modelName(editorModel("acme-large"), offered), "Acme Large");
  assert.equal(modelName(editorModel("large"), offered), "Acme Large");
  assert.equal(modelName(editorModel("Acme Large"), offered), "Acme Large");
});

test("of two that fit, it is the first, as in a request, and that of the vendor if one is given", () => {
  assert.equal(modelName(editorModel("acme-small"), offered), "Acme Small");
  assert.equal(modelName(editorModel("acme-small", "other"), offered), "Other Small");
  assert.equal(modelName(editorModel("small", "acme"), [other, acme]), "Acme Small");
});

test("one that VS Code does not offer is shown as the definition has it, and so are those of endpoints", () => {
  assert.equal(modelName(editorModel("gone"), offered), "gone");
  assert.equal(modelName(editorModel("acme-small", "nowhere"), offered), "acme-small");
  assert.equal(modelName({ provider: "openai", name: "acme-small" }, offered), "acme-small");
  assert.equal(modelName({ provider: "vscode" }, offered), "VS Code’s model");
  assert.equal(modelName({ provider: "practice" }, offered), "Practice");
});

test("the name that another extension gives its model stays one short line of visible characters", () => {
  const named = (name: string): string => modelName(editorModel("acme-small"), [{ ...acme, name }]);
  assert.equal(named(" Acme\nSmall\t\u00a0\u2028 2 "), "Acme Small 2");
  assert.equal(named("Acme \u202eegraL\u2066\u200b"), "Acme ⟨U+202E⟩egraL⟨U+2066⟩⟨U+200B⟩");
  assert.equal(named("x".repeat(5000)), `${"x".repeat(99)}…`);
  assert.equal(named(" \n "), "acme-small");
});

test("the models of a team are listed by name, each once", () => {
  const ann = { kind: "assistant", activity: "idle" } as const;
  const team = {
    models: { deep: editorModel("acme-large") },
    participants: [
      { ...ann, name: "ann", definedModel: editorModel("acme-small") },
      { ...ann, name: "bob", chosenModel: { provider: "vscode", model: "small" } as const },
      { ...ann, name: "cat", chosenModel: "deep" },
      { ...ann, name: "dan" },
    ],
  };
  assert.deepEqual(modelNames(team, { preset: "Preset", offered }), ["Acme Small", "Acme Large", "Preset"]);
});
