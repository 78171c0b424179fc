import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkDefinition, toProblems } from "./check-definition.ts";

const options = { tools: ["readFile"], hasDefaultModel: true, user: "user", unknownKeys: "mistake" } as const;

type Parts = Readonly<Record<string, unknown>>;

/** What is said of a round-robin team of ann and bob with these changes, as `path: message`. */
function problems(
  changes: Parts,
  context: { readonly hasDefaultModel?: boolean; readonly user?: string } = {},
): string[] {
  const team = { name: "Talk", kind: "roundRobin", participants: [{ name: "ann" }, { name: "bob" }], ...changes };
  const checked = checkDefinition(team, { ...options, ...context });
  return checked.ok ? [] : toProblems(checked.problems).map(({ path, message }) => `${path}: ${message}`);
}

/** What is said of the participant ann in that team. */
const ann = (settings: Parts): string[] => problems({ participants: [{ name: "ann", ...settings }, { name: "bob" }] });

const practice = { provider: "practice" };
const inner = { name: "Inner", kind: "roundRobin", participants: [{ name: "cid" }] };

describe("the name of the user", () => {
  const own = "is the name of the user's own messages; choose another, or add kind: user";

  it("is only for a participant that the user speaks for, in nested teams too", () => {
    const nested = { ...inner, participants: [{ name: "cid" }, { name: "user" }] };
    assert.deepEqual(
      problems({ participants: [{ name: "user" }, { name: "ann", kind: "team", team: nested }] }),
      ["participants[0].name", "participants[1].team.participants[1].name"].map((path) => `${path}: "user" ${own}`),
    );
    assert.deepEqual(problems({ participants: [{ name: "user", kind: "user" }, { name: "ann" }] }), []);
  });

  it("is what the client says", () => {
    assert.deepEqual(problems({ participants: [{ name: "user" }] }, { user: "eve" }), []);
    assert.deepEqual(problems({ participants: [{ name: "eve" }] }, { user: "eve" }), [
      `participants[0].name: "eve" ${own}`,
    ]);
  });
});

describe("a monitor", () => {
  const may = (kind: string, more: Parts = {}): Parts => ({ capabilities: [{ kind, to: "ann", ...more }] });

  it("has a name of its own and may interrupt the reasoning of participants", () => {
    const monitors = [{ name: "watch", ...may("reasoning/interrupt", { maxPerMinute: 2 }) }];
    assert.deepEqual(problems({ monitors }), []);
    const taken = "is already the name of a participant, of another monitor or of the user; choose another";
    assert.deepEqual(
      problems({ monitors: ["ann", "user", "m", "m"].map((name) => ({ name, ...may("reasoning/interrupt") })) }),
      [`monitors[0].name: "ann" ${taken}`, `monitors[1].name: "user" ${taken}`, `monitors[3].name: "m" ${taken}`],
    );
  });

  it("has no other capability, and targets that exist", () => {
    assert.deepEqual(problems({ monitors: [{ name: "m", ...may("interrupt") }] }), [
      "monitors[0].capabilities[0].kind: a monitor can only have the capability reasoning/interrupt",
    ]);
    assert.deepEqual(problems({ monitors: [{ name: "m", ...may("reasoning/interrupts", { to: "zoe" }) }] }), [
      'monitors[0].capabilities[0].kind: did you mean "reasoning/interrupt"?',
      'monitors[0].capabilities[0].to: no participant is called "zoe"; the names are ann, bob, *',
    ]);
  });

  it("has a limit only where it interrupts reasoning", () => {
    assert.deepEqual(ann({ capabilities: [{ kind: "interrupt", to: "*", maxPerMinute: 3 }] }), [
      "participants[0].capabilities[0].maxPerMinute: is only for the kind reasoning/interrupt; remove it",
    ]);
  });
});

describe("a nested team", () => {
  it("is checked like any team, with the whole path", () => {
    const deeper = { ...inner, termination: { sourceMatch: { sources: ["ann"] } } };
    const nested = {
      ...inner,
      participants: [
        { name: "cid", tools: ["redFile"], handoffs: ["ann"] },
        { name: "dan", kind: "team", team: deeper },
      ],
    };
    assert.deepEqual(ann({ kind: "team", team: nested }), [
      'participants[0].team.participants[0].tools[0]: unknown tool "redFile"; did you mean "readFile"?',
      'participants[0].team.participants[0].handoffs[0]: no participant is called "ann"; to hand off outside the team, add the termination condition handoff with the target ann',
      'participants[0].team.participants[1].team.termination.sourceMatch.sources[0]: no participant is called "ann"; the names are cid, user',
    ]);
  });

  it("uses the models of the team around it if it has none", () => {
    const team = { ...inner, participants: [{ name: "cid", model: "fast" }] };
    const models = { fast: practice, slow: practice };
    const participants = [{ name: "ann", kind: "team", team }];
    assert.deepEqual(problems({ participants, models }), []);
    assert.deepEqual(
      problems({ participants: [{ name: "ann", kind: "team", team: { ...team, models: { own: practice } } }], models }),
      ['participants[0].team.participants[0].model: unknown model "fast"; the models are own'],
    );
    assert.deepEqual(
      problems({ participants: [{ name: "ann", kind: "team", team: inner }] }, { hasDefaultModel: false }),
      [
        "participants[0].team.participants[0]: cid has no model; add models.default to the team, or set gavel.model in the settings",
      ],
    );
  });

  it("may have its practice lines in the team around it", () => {
    const lines = { cid: ["Hello."], selector: ["cid"], eve: ["Hello."] };
    const team = { ...inner, kind: "selector" };
    assert.deepEqual(
      problems({ participants: [{ name: "ann", kind: "team", team }], models: { a: { ...practice, lines } } }),
      ['models.a.lines.eve: no participant is called "eve"; the names are ann, cid, selector'],
    );
  });

  it("belongs to the kinds that have one", () => {
    assert.deepEqual(ann({ kind: "team" }), [
      "participants[0].kind: a participant of kind team needs a nested team; add it under `team`",
    ]);
    assert.deepEqual(ann({ kind: "societyOfMind" }), [
      "participants[0].kind: a participant of kind societyOfMind needs a nested team; add it under `team`",
    ]);
    assert.deepEqual(ann({ team: inner }), [
      "participants[0].team: a nested team needs a kind; set kind: team or kind: societyOfMind",
    ]);
    assert.deepEqual(ann({ kind: "user", team: inner }), [
      "participants[0].team: a participant of kind user cannot have a nested team; set kind: team or kind: societyOfMind",
    ]);
    assert.deepEqual(ann({ kind: "team", team: inner }), []);
    assert.deepEqual(ann({ kind: "societyOfMind", instructions: "Sum up.", team: inner }), []);
  });
});

describe("a participant", () => {
  it("has no keys that have no effect for its kind", () => {
    const strange = { instructions: "x", model: "m", tools: [], handoffs: ["bob"], memory: { keep: true } };
    const nothing = (key: string, kind: string) =>
      `participants[0].${key}: has no effect for a participant of kind ${kind}; remove it`;
    assert.deepEqual(
      ann({ kind: "user", description: "You", ...strange }),
      Object.keys(strange).flatMap((key) => (key === "handoffs" ? [] : nothing(key, "user"))),
    );
    assert.deepEqual(
      ann({ kind: "team", team: inner, context: { kind: "unbounded" }, output: { schema: {} } }),
      ["output", "context"].map((key) => nothing(key, "team")),
    );
    assert.deepEqual(ann({ kind: "societyOfMind", team: inner, memory: { keep: true } }), [
      nothing("memory", "societyOfMind"),
    ]);
  });

  it("of kind societyOfMind needs a model, of kind user or team none", () => {
    const participants = [
      { name: "ann", kind: "societyOfMind", team: { ...inner, models: { default: practice } } },
      { name: "bob", kind: "user" },
      { name: "eve", kind: "team", team: { ...inner, models: { default: practice } } },
    ];
    assert.deepEqual(problems({ participants }, { hasDefaultModel: false }), [
      "participants[0]: ann has no model; add models.default to the team, or set gavel.model in the settings",
    ]);
  });

  it("has a context whose sizes are those of its kind", () => {
    const context = (settings: Parts) => ann({ context: settings });
    assert.deepEqual(context({ kind: "headAndTail" }), [
      "participants[0].context: a headAndTail context needs `head`, `tail` or both",
    ]);
    assert.deepEqual(context({ kind: "headAndTail", head: 1, size: 3 }), [
      "participants[0].context.size: has no effect for a context of kind headAndTail; use head and tail",
    ]);
    assert.deepEqual(context({ kind: "buffered", tail: 3 }), [
      "participants[0].context.tail: has no effect for a context of kind buffered; use size",
    ]);
    assert.deepEqual(context({ kind: "unbounded", size: 3 }), [
      "participants[0].context.size: has no effect for a context of kind unbounded; remove it",
    ]);
    assert.deepEqual(context({ kind: "headAndTail", tail: 3 }), []);
    assert.deepEqual(context({ kind: "tokenLimited", size: 4000 }), []);
  });

  it("has no token limit above that of its model", () => {
    const participants = [{ name: "ann", context: { kind: "tokenLimited", size: 9000 } }];
    const models = { small: { provider: "openai", model: "m", contextWindow: 8000 } };
    assert.deepEqual(problems({ participants, models }), [
      "participants[0].context.size: should be no more than 8000, the contextWindow of its model",
    ]);
  });

  it("has an output that is a JSON Schema, and tools whose inputs are", () => {
    const schema = {
      type: "object",
      properties: { verdict: { type: "strng" }, marks: { type: "array", items: 7 } },
      required: "verdict",
    };
    assert.deepEqual(ann({ output: { schema } }), [
      'participants[0].output.schema.properties.verdict.type: "strng" is not a JSON Schema type; did you mean "string"?',
      "participants[0].output.schema.properties.marks.items: should be a JSON Schema: a map of keys",
      "participants[0].output.schema.required: should be a list of the names of properties",
    ]);
    const inputSchema = { anyOf: [], properties: { path: { pattern: "(" } } };
    assert.deepEqual(ann({ tools: [{ name: "mine", description: "", inputSchema }] }), [
      "participants[0].tools[0].inputSchema.anyOf: should be a list of JSON Schemas",
      "participants[0].tools[0].inputSchema.properties.path.pattern: is a regular expression that has a ( without a ); add the ), " +
        "or write \\( for a parenthesis",
    ]);
    const fine = {
      $defs: { word: { type: ["string", "null"], pattern: "^\\p{L}+$" } },
      type: "object",
      properties: { type: { $ref: "#/$defs/word" }, any: true },
      additionalProperties: false,
    };
    assert.deepEqual(ann({ output: { name: "verdict", schema: fine } }), []);
  });

  it("has only known placeholders in its call summaries", () => {
    assert.deepEqual(ann({ toolCallSummaryFormat: '{tool_name}({arguments}) is {"a": {rsult}}' }), [
      'participants[0].toolCallSummaryFormat: {rsult} is not a placeholder; did you mean "result"?',
    ]);
    assert.deepEqual(ann({ toolCallSummaryFormat: "{tool_name} {arguments} {result} {is_error}" }), []);
  });

  it("may have capabilities for known participants only", () => {
    const capabilities = [{ kind: "reasoning/interrupt", to: ["bob", "eve"] }];
    assert.deepEqual(ann({ capabilities }), [
      'participants[0].capabilities[0].to[1]: no participant is called "eve"; the names are ann, bob, *',
    ]);
    assert.deepEqual(ann({ capabilities: [{ kind: "reasoning/interrupt", to: "*" }] }), []);
  });
});

describe("a handoff", () => {
  it("has another, known target, and only once", () => {
    assert.deepEqual(ann({ handoffs: ["ann", "bub", "support", "bob", { target: "bob" }] }), [
      "participants[0].handoffs[0]: ann cannot hand off to itself; remove this handoff",
      'participants[0].handoffs[1]: no participant is called "bub"; did you mean "bob"?',
      'participants[0].handoffs[2]: no participant is called "support"; to hand off outside the team, add the termination condition handoff with the target support',
      'participants[0].handoffs[4].target: "bob" is listed twice; remove one of them',
    ]);
  });

  it("may leave the team if a condition stops on it", () => {
    const participants = [{ name: "ann", handoffs: ["user"] }];
    const termination = { any: [{ maxMessages: 3 }, { handoff: { target: "user" } }] };
    assert.deepEqual(problems({ participants, termination }), []);
    assert.match(problems({ participants })[0] ?? "", /add the termination condition handoff with the target user$/);
  });

  it("needs a tool name that no other tool has", () => {
    const declared = { name: "transfer_to_bob", description: "", inputSchema: {} };
    const participants = [
      { name: "ann", tools: [declared], handoffs: ["bob", "eve", "Eve"] },
      { name: "bob" },
      { name: "eve" },
      { name: "Eve" },
    ];
    assert.deepEqual(problems({ participants }), [
      'participants[0].handoffs[0]: its tool is called transfer_to_bob, like the tool "transfer_to_bob"; rename one of them',
      'participants[0].handoffs[2]: its tool is called transfer_to_eve, like the handoff to "eve"; rename one of them',
    ]);
  });

  it("is required in a swarm of several participants", () => {
    assert.deepEqual(problems({ kind: "swarm" }), [
      "participants: no participant has handoffs, so only ann would ever speak; give ann some `handoffs`",
    ]);
    assert.deepEqual(problems({ kind: "swarm", participants: [{ name: "ann" }] }), []);
    assert.deepEqual(
      problems({ kind: "swarm", participants: [{ name: "ann", handoffs: ["bob"] }, { name: "bob" }] }),
      [],
    );
  });
});

describe("the selection of speakers", () => {
  it("has no settings of another team kind", () => {
    assert.deepEqual(problems({ selector: {}, magentic: { maxStalls: 2 } }), [
      "selector: is only for teams of kind selector; remove it, or set kind: selector",
      "magentic: is only for teams of kind magentic; remove it, or set kind: magentic",
    ]);
    assert.deepEqual(problems({ kind: "selector", selector: { prompt: "Who is next?" } }), []);
    assert.deepEqual(problems({ kind: "magentic", magentic: { maxStalls: 2 } }), []);
  });

  it("has a known model", () => {
    const models = { fast: practice, slow: practice };
    const participants = [{ name: "ann", model: "fast" }];
    const withoutDefault = (changes: Parts) =>
      problems({ participants, models, ...changes }, { hasDefaultModel: false });
    assert.deepEqual(withoutDefault({ kind: "selector", selector: { model: "fst" } }), [
      'selector.model: unknown model "fst"; did you mean "fast"?',
    ]);
    assert.deepEqual(withoutDefault({ kind: "selector" }), [
      "kind: the selector has no model; name one of fast, slow in selector.model, add models.default, or set gavel.model in the settings",
    ]);
    assert.deepEqual(withoutDefault({ kind: "magentic" }), [
      "kind: the orchestrator has no model; name one of fast, slow in magentic.model, add models.default, or set gavel.model in the settings",
    ]);
    assert.deepEqual(withoutDefault({ kind: "selector", selector: { rules: [{ choose: "ann" }] } }), []);
    assert.deepEqual(withoutDefault({ kind: "magentic", magentic: { model: "slow" } }), []);
  });

  it("chooses among known participants", () => {
    const rules = [
      { after: ["user", "eve"], choose: "ann" },
      { mentions: "done", choose: ["bob", "user"] },
    ];
    assert.deepEqual(problems({ kind: "selector", selector: { rules } }), [
      'selector.rules[0].after[1]: no participant is called "eve"; the names are ann, bob, user',
      'selector.rules[1].choose[1]: no participant is called "user"; the names are ann, bob',
    ]);
  });

  it("has edges and an entry with known participants", () => {
    const graph = { edges: [{ from: "ann", to: "bub" }], entry: ["ann", "eve"] };
    const said = problems({ kind: "graph", graph });
    assert.ok(said.includes('graph.edges[0].to: no participant is called "bub"; did you mean "bob"?'), said.join("\n"));
    assert.ok(said.includes('graph.entry[1]: no participant is called "eve"; the names are ann, bob'), said.join("\n"));
  });
});

it("a condition may name the orchestrator of a magentic team", () => {
  const termination = { sourceMatch: { sources: ["orchestrator"] } };
  assert.deepEqual(problems({ kind: "magentic", termination }), []);
  assert.match(problems({ termination })[0] ?? "", /no participant is called "orchestrator"/);
});

describe("a budget", () => {
  it("is used alone or in `any`", () => {
    const budget = { turns: 3 };
    const message = "a budget cannot be part of `all`: it pauses the run by itself; move it to `any`, or use it alone";
    assert.deepEqual(problems({ termination: { budget } }), []);
    assert.deepEqual(problems({ termination: { any: [{ maxMessages: 3 }, { budget }] } }), []);
    assert.deepEqual(
      problems({ termination: { all: [{ maxMessages: 3 }, { any: [{ external: true }, { budget }] }] } }),
      [`termination.all[1].any[1].budget: ${message}`],
    );
  });

  it("of dollars needs models with a price", () => {
    const model = { provider: "openai", model: "m" };
    const termination = { budget: { cost: 1 } };
    assert.deepEqual(problems({ termination, models: { default: model } }), [
      "termination.budget.cost: no model of the team has a `price`, so costs cannot be counted; add one to the models",
    ]);
    const price = { prompt: 1, completion: 4 };
    assert.deepEqual(problems({ termination, models: { default: { ...model, price } } }), []);
    assert.deepEqual(problems({ termination, models: { default: practice } }), []);
    assert.deepEqual(problems({ termination }), []);
  });
});

it("the numbers of a model must not contradict each other", () => {
  const model = { provider: "openai", model: "m", maxTokens: 8000, contextWindow: 8000 };
  const price = { prompt: 1, completion: 4, cachedPrompt: 2 };
  assert.deepEqual(problems({ models: { default: { ...model, price } } }), [
    "models.default.maxTokens: should be less than 8000, the contextWindow of this model",
    "models.default.price.cachedPrompt: should be no more than 1, the price of an uncached prompt",
  ]);
  const gemini = { provider: "gemini", model: "m", reasoning: { budgetTokens: 0, effort: "low" } };
  assert.deepEqual(problems({ models: { default: gemini } }), [
    "models.default.reasoning.budgetTokens: should be left out with an effort; a model has one or the other",
  ]);
  const claude = { provider: "anthropic", model: "m", maxTokens: 8000 };
  assert.deepEqual(
    problems({ models: { default: { ...claude, reasoning: { budgetTokens: 8000, effort: "none" } } } }),
    [
      "models.default.reasoning.budgetTokens: should be left out with effort: none, which turns thinking off",
      "models.default.reasoning.budgetTokens: should be less than 8000, the maxTokens of this model, which include its thoughts",
    ],
  );
});
