import assert from "node:assert/strict";
import { it } from "node:test";
import { modelFinding } from "./model-finding.ts";

const around = { hasFile: true, hasDefault: true, servers: [] } as const;
const failed = (data: Record<string, unknown>) => ({ message: "It fails.", data });
const ollama = { server: "Ollama", baseUrl: "http://127.0.0.1:11434/v1" };

it("each thing that can be wrong with a model has what fixes it", () => {
  const of = (data: Record<string, unknown>, key?: string) =>
    modelFinding({ label: "m", failure: failed(data), ...(key === undefined ? {} : { key }) }, around).fix;
  assert.deepEqual(of({ fix: "apiKey", secret: "mine", status: 401 }, "main"), { kind: "setApiKey", secret: "mine" });
  assert.deepEqual(of({ fix: "network" }), { kind: "proxySettings" });
  assert.deepEqual(of({ fix: "endpoint", retryable: true }, "main"), { kind: "editTeamFile" });
  assert.deepEqual(of({ fix: "endpoint", retryable: true }), { kind: "selectModel" });
  assert.deepEqual(of({ status: 429 }, "main"), { kind: "editTeamFile" });
  assert.deepEqual(of({ retryable: true }), { kind: "selectModel" });
});

it("a row has the cause; its fix says what to do", () => {
  const failure = { message: 'x refused the key "a; b" for m (401); set another.', data: { fix: "apiKey" } };
  assert.equal(modelFinding({ label: "m", failure }, around).text, 'x refused the key "a; b" for m (401).');
});

it("a model that answers needs nothing, and names its key", () => {
  assert.deepEqual(modelFinding({ key: "main", label: "gpt-5" }, around), {
    what: "Model main: gpt-5",
    text: "The model answers.",
  });
});

it("without a default model it says what this computer has", () => {
  const nothing = { label: "none", failure: failed({}) };
  const find = (servers: Parameters<typeof modelFinding>[1]["servers"]) =>
    modelFinding(nothing, { ...around, hasDefault: false, servers });
  assert.match(find([]).text, /^No model is selected\. Use Copilot/);
  assert.deepEqual(find([{ ...ollama, models: ["a", "b"] }]), {
    what: "Default model",
    text: "No model is selected. This computer has 2 models of Ollama.",
    fix: { kind: "selectModel" },
  });
  const hint = { text: 'Ollama runs, but has no model. Run "ollama pull x".', command: "ollama pull x" };
  assert.deepEqual(find([{ ...ollama, models: [], hint }]).fix, { kind: "terminal", command: "ollama pull x" });
});
