import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type Schema, Validator } from "@cfworker/json-schema";
import { parse } from "yaml";
import { checkDefinition } from "../../server/host/definition/check-definition.ts";
import { root } from "../root.ts";
import { describeAll } from "./describe.ts";

const schema = JSON.parse(readFileSync(join(root, "media", "team-file.schema.json"), "utf8")) as Schema;
const validator = new Validator(schema, "7", false);

const options = { tools: ["readFile"], hasDefaultModel: true, user: "user", unknownKeys: "mistake" } as const;

type Parts = Readonly<Record<string, unknown>>;

const talk = { name: "Talk", kind: "roundRobin", participants: [{ name: "ann" }, { name: "bob" }] };
const inner = { name: "Inner", kind: "roundRobin", participants: [{ name: "cid" }] };
const openai = { provider: "openai", model: "gpt-5" };
const withAnn = (settings: Parts): Parts => ({
  ...talk,
  participants: [{ name: "ann", ...settings }, { name: "bob" }],
});
const withModel = (model: Parts): Parts => ({ ...talk, models: { default: model } });

/** Valid teams, which together use every key. */
const good: Readonly<Record<string, Parts>> = {
  "of two": talk,
  "with all conditions": {
    ...talk,
    description: "All of them.",
    maxTurns: 9,
    termination: {
      any: [
        { maxMessages: 9 },
        { all: [{ textMention: { text: "OK", sources: ["ann"] } }, { stopMessage: true }] },
        { tokenUsage: { total: 9, prompt: 9, completion: 9 } },
        { handoff: { target: "user" } },
        { timeout: { seconds: 0.5 } },
        { external: true },
        { sourceMatch: { sources: ["bob"] } },
        { textMessage: {} },
        { textMessage: { source: "ann" } },
        { functionCall: { name: "readFile" } },
        { budget: { tokens: 9, seconds: 9, turns: 9 } },
      ],
    },
  },
  "with every setting of an assistant": withAnn({
    kind: "assistant",
    description: "Ann",
    instructions: "Do.",
    tools: [
      "readFile",
      {
        name: "mine",
        description: "",
        inputSchema: { type: "object" },
        approval: "ask",
        interrupt: true,
        onInterrupt: "wait",
      },
    ],
    handoffs: [{ target: "bob", description: "Now bob.", message: "Yours." }],
    output: { name: "answer", schema: { type: "object" } },
    memory: { notes: ["a"], files: ["README.md"], keep: true },
    maxToolIterations: 3,
    reflectOnToolUse: true,
    toolCallSummaryFormat: "{result}",
    capabilities: [{ kind: "reasoning/interrupt", to: ["bob"], maxPerMinute: 3 }],
    context: { kind: "headAndTail", head: 2, tail: 5 },
  }),
  "with every other context": {
    ...talk,
    participants: [
      { name: "ann", context: { kind: "unbounded" } },
      { name: "bob", context: { kind: "buffered", size: 4 } },
      { name: "cid", context: { kind: "tokenLimited" } },
    ],
  },
  "with every kind of participant": {
    ...talk,
    participants: [
      { name: "Zoë" },
      { name: "you", kind: "user", description: "Asks the questions." },
      { name: "crew", kind: "team", team: inner },
      {
        name: "minds",
        kind: "societyOfMind",
        instructions: "Sum up.",
        context: { kind: "buffered" },
        team: { ...inner, participants: [{ name: "deep", kind: "team", team: inner }] },
      },
    ],
  },
  "with every model": {
    ...talk,
    participants: [{ name: "ann", model: "full" }],
    models: {
      full: {
        ...openai,
        baseUrl: "http://localhost:1234/v1",
        apiKey: { secret: "openai" },
        api: "responses",
        temperature: 0.5,
        maxTokens: 100,
        reasoning: { effort: "low", summary: "concise" },
        addNamePrefixes: true,
        maxRetries: 0,
        contextWindow: 1000,
        price: { prompt: 1, completion: 2, cachedPrompt: 0 },
      },
      azure: { provider: "azure", endpoint: "https://x.openai.azure.com", deployment: "d", apiVersion: "2024-10-21" },
      script: {
        provider: "practice",
        pace: 0,
        lines: { ann: ["One.", { say: "Two.", calls: [{ tool: "readFile", input: { path: "a" } }] }] },
        asked: { ann: ["Yes?"] },
      },
    },
  },
  "with a selector": {
    ...talk,
    kind: "selector",
    models: { default: openai },
    selector: {
      model: "default",
      prompt: "Who?",
      allowRepeats: true,
      maxAttempts: 2,
      rules: [{ after: ["ann"], mentions: "bob", choose: "bob" }, { choose: ["ann", "bob"] }],
    },
  },
  "that is a swarm": { ...withAnn({ handoffs: ["bob"] }), kind: "swarm" },
  "that is a graph": {
    ...talk,
    kind: "graph",
    participants: ["ann", "bob", "cid", "dan"].map((name) => ({ name })),
    graph: {
      edges: [
        { from: "ann", to: "bob", when: "go" },
        { from: "ann", to: "cid", when: { contains: "cid" } },
        { from: "ann", to: "dan", when: { lacks: "go" } },
        { from: "bob", to: "dan", when: { matches: "^ok" }, join: "any" },
        { from: "cid", to: "dan", join: "any" },
      ],
      entry: "ann",
    },
  },
  "with Magentic's orchestrator": {
    ...talk,
    kind: "magentic",
    magentic: { maxStalls: 0, finalAnswerPrompt: "In short?" },
  },
  "with rules that interrupt": {
    ...withAnn({ tools: ["readFile"], capabilities: [{ kind: "interrupt", to: "*" }] }),
    interrupts: [
      {
        name: "guard",
        when: {
          message: { contains: "x", matches: "x+", sources: ["ann", "user"] },
          tool: { name: ["readFile"], arguments: { contains: "x", matches: "x+" } },
          participant: ["ann"],
          turns: 1,
          seconds: 0.5,
          tokens: 9,
          stall: { seconds: 9 },
        },
        severity: "stop",
        grace: "thought",
        scope: "participant",
        reason: "All of it.",
      },
      { when: { tool: { name: "readFile" } }, reason: "A tool." },
    ],
  },
};

/** Teams with one mistake each. */
const bad: Readonly<Record<string, unknown>> = {
  "is a list": [],
  "has no name": { ...talk, name: undefined },
  "has an empty name": { ...talk, name: "" },
  "has no kind": { name: "Talk", participants: talk.participants },
  "is of an unknown kind": { ...talk, kind: "roundrobin" },
  "has no participants": { ...talk, participants: [] },
  "has an unknown key": { ...talk, modles: {} },
  "has a name with a space": withAnn({ name: "ann b" }),
  "has a participant of an unknown kind": withAnn({ kind: "human" }),
  "has a participant with a mistaken key": withAnn({ instruction: "x" }),
  "gives text where a list belongs": withAnn({ tools: "readFile" }),
  "has a nested team in a participant of another kind": withAnn({ team: inner }),
  "has a participant of kind team without a team": withAnn({ kind: "team" }),
  "nests a team with a mistake": withAnn({ kind: "team", team: { ...inner, participants: [] } }),
  "gives the user instructions": withAnn({ kind: "user", instructions: "x" }),
  "gives a nested team tools": withAnn({ kind: "team", team: inner, tools: [] }),
  "has a handoff without a target": withAnn({ handoffs: [{ message: "x" }] }),
  "has an output without a schema": withAnn({ output: { name: "x" } }),
  "has a buffered context with a head": withAnn({ context: { kind: "buffered", head: 2 } }),
  "has a headAndTail context with neither": withAnn({ context: { kind: "headAndTail" } }),
  "has a context of zero messages": withAnn({ context: { kind: "buffered", size: 0 } }),
  "has a model of an unknown provider": withModel({ provider: "practise" }),
  "has a model without a name": withModel({ provider: "openai" }),
  "has an invalid address": withModel({ ...openai, baseUrl: "localhost" }),
  "has an address of another protocol": withModel({ ...openai, baseUrl: "ftp://example.com" }),
  "has a temperature that is too high": withModel({ ...openai, temperature: 3 }),
  "contains a key": withModel({ ...openai, apiKey: "sk-1" }),
  "has an incomplete price": withModel({ ...openai, price: { prompt: 1 } }),
  "has a deployment without an endpoint": withModel({ provider: "azure", deployment: "d" }),
  "has a condition with two keys": { ...talk, termination: { maxMessages: 3, external: true } },
  "has a condition without a key": { ...talk, termination: {} },
  "has an unknown condition": { ...talk, termination: { any: [{ maxMessage: 3 }] } },
  "has a tokenUsage without a limit": { ...talk, termination: { tokenUsage: {} } },
  "has a budget without an amount": { ...talk, termination: { budget: {} } },
  "interrupts without a reason": { ...talk, interrupts: [{ when: { turns: 1 } }] },
  "interrupts without a trigger": { ...talk, interrupts: [{ when: {}, reason: "x" }] },
  "interrupts with an unknown severity": {
    ...talk,
    interrupts: [{ when: { turns: 1 }, severity: "halt", reason: "x" }],
  },
  "interrupts after zero turns": { ...talk, interrupts: [{ when: { turns: 0 }, reason: "x" }] },
  "has selector settings and another kind": { ...talk, selector: {} },
  "has graph settings and another kind": { ...talk, graph: { edges: [] } },
  "has magentic settings and another kind": { ...talk, magentic: {} },
  "has an edge without a target": { ...talk, kind: "graph", graph: { edges: [{ from: "ann" }] } },
  "has a rule that chooses no one": { ...talk, kind: "selector", selector: { rules: [{ after: "ann" }] } },
};

function errorsOf(value: unknown): string[] {
  // As in a file: without undefined values.
  const { errors } = validator.validate(JSON.parse(JSON.stringify(value)));
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

describe("the JSON Schema of team files", () => {
  for (const [name, team] of Object.entries(good)) {
    it(`accepts, as the host does, a team ${name}`, () => {
      const checked = checkDefinition(team, options);
      assert.deepEqual(checked.ok ? [] : checked.problems, []);
      assert.deepEqual(errorsOf(team), []);
    });
  }

  for (const [name, team] of Object.entries(bad)) {
    it(`refuses, as the host does, a team that ${name}`, () => {
      assert.equal(checkDefinition(JSON.parse(JSON.stringify(team)), options).ok, false);
      assert.notDeepEqual(errorsOf(team), []);
    });
  }

  it("accepts every sample", () => {
    const samples = readdirSync(join(root, "media", "samples"), { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.team\.(ya?ml|json)$/.test(file),
    );
    assert.ok(samples.length > 0);
    for (const sample of samples) {
      const content: unknown = parse(readFileSync(join(root, "media", "samples", sample), "utf8"));
      assert.deepEqual(errorsOf(content), [], sample);
    }
  });

  it("is part of the package, as the host reads it for completion, and no other extension checks team files by it", () => {
    const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly contributes: Readonly<Record<string, unknown>>;
    };
    assert.ok(!("jsonValidation" in contributes) && !("yamlValidation" in contributes));
    assert.match(readFileSync(join(root, ".vscodeignore"), "utf8"), /^!media\/\*\*$/m);
  });

  it("accepts a component that AutoGen exported", () => {
    const component = { provider: "autogen_agentchat.teams.Swarm", component_type: "team", config: {} };
    assert.deepEqual(errorsOf(component), []);
  });
});

describe("a description", () => {
  const definitions = { Team: { properties: { name: {}, models: { items: { properties: { key: {} } } } } } };

  it("is added to every key, also in nested maps", () => {
    const texts = { Team: { "": "All.", name: "A.", models: "B.", "models.key": "C." } };
    assert.deepEqual(describeAll(definitions, texts), {
      Team: {
        description: "All.",
        properties: {
          name: { description: "A." },
          models: { description: "B.", items: { properties: { key: { description: "C." } } } },
        },
      },
    });
  });

  it("that is missing, or that belongs to no key, is reported", () => {
    const texts = { Team: { name: "A.", modles: "B.", "models.key": "C." } };
    assert.throws(() => describeAll(definitions, texts), {
      message: /^Team\.models has no description.*\nThere is no Team\.modles; /,
    });
  });
});
