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

/** Teams that open, which between them use every key there is. */
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
  "with all that an assistant can have": withAnn({
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
    capabilities: [{ kind: "reasoning/interrupt", to: ["bob"] }],
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
      { name: "you", kind: "user", description: "The one who asks." },
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
  "is of no known kind": { ...talk, kind: "roundrobin" },
  "has nobody in it": { ...talk, participants: [] },
  "has a key that there is not": { ...talk, modles: {} },
  "has a name with a space": withAnn({ name: "ann b" }),
  "has a participant of no known kind": withAnn({ kind: "human" }),
  "has a participant with a mistaken key": withAnn({ instruction: "x" }),
  "gives text where a list belongs": withAnn({ tools: "readFile" }),
  "nests a team and does not say so": withAnn({ team: inner }),
  "says so and nests none": withAnn({ kind: "team" }),
  "nests a team with a mistake": withAnn({ kind: "team", team: { ...inner, participants: [] } }),
  "tells the user what to say": withAnn({ kind: "user", instructions: "x" }),
  "gives a nested team tools": withAnn({ kind: "team", team: inner, tools: [] }),
  "hands over to nobody": withAnn({ handoffs: [{ message: "x" }] }),
  "has an output without a schema": withAnn({ output: { name: "x" } }),
  "has a context with a head and no such kind": withAnn({ context: { kind: "buffered", head: 2 } }),
  "has a context of a head and a tail with neither": withAnn({ context: { kind: "headAndTail" } }),
  "has a context of no messages": withAnn({ context: { kind: "buffered", size: 0 } }),
  "has a model of no known provider": withModel({ provider: "practise" }),
  "has a model without a name": withModel({ provider: "openai" }),
  "has an address that is none": withModel({ ...openai, baseUrl: "localhost" }),
  "has an address of another protocol": withModel({ ...openai, baseUrl: "ftp://example.com" }),
  "is too warm": withModel({ ...openai, temperature: 3 }),
  "writes its key down": withModel({ ...openai, apiKey: "sk-1" }),
  "has half a price": withModel({ ...openai, price: { prompt: 1 } }),
  "has a deployment without its resource": withModel({ provider: "azure", deployment: "d" }),
  "has a condition of two": { ...talk, termination: { maxMessages: 3, external: true } },
  "has a condition of none": { ...talk, termination: {} },
  "has a mistaken condition": { ...talk, termination: { any: [{ maxMessage: 3 }] } },
  "counts no tokens": { ...talk, termination: { tokenUsage: {} } },
  "has a budget of nothing": { ...talk, termination: { budget: {} } },
  "interrupts without a reason": { ...talk, interrupts: [{ when: { turns: 1 } }] },
  "interrupts on nothing": { ...talk, interrupts: [{ when: {}, reason: "x" }] },
  "interrupts with no known severity": { ...talk, interrupts: [{ when: { turns: 1 }, severity: "halt", reason: "x" }] },
  "interrupts after no turns": { ...talk, interrupts: [{ when: { turns: 0 }, reason: "x" }] },
  "has a selector's settings and none": { ...talk, selector: {} },
  "has a graph's settings and none": { ...talk, graph: { edges: [] } },
  "has an orchestrator's settings and none": { ...talk, magentic: {} },
  "has an edge to nowhere": { ...talk, kind: "graph", graph: { edges: [{ from: "ann" }] } },
  "has a rule that chooses nobody": { ...talk, kind: "selector", selector: { rules: [{ after: "ann" }] } },
};

function faultsOf(value: unknown): string[] {
  // Only what a file can hold: no key is there with nothing.
  const { errors } = validator.validate(JSON.parse(JSON.stringify(value)));
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

describe("the JSON Schema of team files", () => {
  for (const [name, team] of Object.entries(good)) {
    it(`accepts, as the host does, a team ${name}`, () => {
      const checked = checkDefinition(team, options);
      assert.deepEqual(checked.ok ? [] : checked.problems, []);
      assert.deepEqual(faultsOf(team), []);
    });
  }

  for (const [name, team] of Object.entries(bad)) {
    it(`refuses, as the host does, a team that ${name}`, () => {
      assert.equal(checkDefinition(JSON.parse(JSON.stringify(team)), options).ok, false);
      assert.notDeepEqual(faultsOf(team), []);
    });
  }

  it("accepts every sample", () => {
    const samples = readdirSync(join(root, "media", "samples"), { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.team\.(ya?ml|json)$/.test(file),
    );
    assert.ok(samples.length > 0);
    for (const sample of samples) {
      const content: unknown = parse(readFileSync(join(root, "media", "samples", sample), "utf8"));
      assert.deepEqual(faultsOf(content), [], sample);
    }
  });

  it("is what the package offers to editors of JSON and of YAML", () => {
    const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly contributes: Readonly<Record<"jsonValidation" | "yamlValidation", readonly Parts[]>>;
    };
    const url = "./media/team-file.schema.json";
    assert.deepEqual(contributes.jsonValidation, [{ fileMatch: "*.team.json", url }]);
    assert.deepEqual(contributes.yamlValidation, [{ fileMatch: ["*.team.yaml", "*.team.yml"], url }]);
    assert.match(readFileSync(join(root, ".vscodeignore"), "utf8"), /^!media\/\*\*$/m);
  });

  it("leaves a component that AutoGen wrote as it is", () => {
    const component = { provider: "autogen_agentchat.teams.Swarm", component_type: "team", config: {} };
    assert.deepEqual(faultsOf(component), []);
  });
});

describe("a description", () => {
  const definitions = { Team: { properties: { name: {}, models: { items: { properties: { key: {} } } } } } };

  it("stands at every key, also of maps within", () => {
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

  it("that is missing, or belongs to nothing, is told", () => {
    const texts = { Team: { name: "A.", modles: "B.", "models.key": "C." } };
    assert.throws(() => describeAll(definitions, texts), {
      message: /^Team\.models has no description.*\nThere is no Team\.modles; /,
    });
  });
});
