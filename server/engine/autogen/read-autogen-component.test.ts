import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TeamDefinition } from "../../../shared/contract/definition.ts";
import { GavelError } from "../../../shared/contract/errors.ts";
import { isAutoGenComponent } from "./is-autogen-component.ts";
import { readAutoGenComponent } from "./read-autogen-component.ts";

type Json = Readonly<Record<string, unknown>>;

/** A component as `dump_component` writes it. */
const component = (type: string, provider: string, config: Json = {}): Json => ({
  provider,
  component_type: type,
  version: 1,
  component_version: 1,
  description: "What the Python class says of itself.",
  label: provider.slice(provider.lastIndexOf(".") + 1),
  config,
});

const gpt = component("model", "autogen_ext.models.openai.OpenAIChatCompletionClient", { model: "gpt-4o-mini" });

const agent = (config: Json, kind = "AssistantAgent"): Json =>
  component("agent", `autogen_agentchat.agents.${kind}`, config);

const assistant = (name: string, config: Json = {}): Json =>
  agent({
    name,
    model_client: gpt,
    workbench: [component("workbench", "autogen_core.tools.StaticStreamWorkbench", { tools: [] })],
    model_context: component("chat_completion_context", "autogen_core.model_context.UnboundedChatCompletionContext"),
    description: "An agent.",
    system_message: "Help.",
    model_client_stream: true,
    reflect_on_tool_use: false,
    tool_call_summary_format: "{result}",
    max_tool_iterations: 1,
    metadata: {},
    ...config,
  });

/** The participant that such an assistant is imported as. */
const helper = (name: string, changes: Json = {}): Json => ({
  name,
  description: "An agent.",
  instructions: "Help.",
  model: "gpt-4o-mini",
  maxToolIterations: 1,
  reflectOnToolUse: false,
  ...changes,
});

const team = (kind: string, config: Json): Json =>
  component("team", `autogen_agentchat.teams.${kind}`, { name: "Team", emit_team_events: false, ...config });

const condition = (kind: string, config: Json = {}): Json =>
  component("termination", `autogen_agentchat.conditions.${kind}`, config);

const roundRobin = (...participants: readonly Json[]): Json => team("RoundRobinGroupChat", { participants });

const models = { "gpt-4o-mini": { provider: "openai", model: "gpt-4o-mini" } };

/** The imported team, which matches the schema of definitions. */
function read(json: unknown): { definition: TeamDefinition; leftOut: readonly string[] } {
  const result = readAutoGenComponent(JSON.parse(JSON.stringify(json)));
  assert.deepEqual(TeamDefinition.parse(result.definition), result.definition);
  return result;
}

/** The problems for which the import is refused. */
function problems(json: unknown): unknown {
  try {
    readAutoGenComponent(json);
  } catch (error) {
    assert.ok(error instanceof GavelError);
    assert.equal(error.data.code, "InvalidDefinition");
    return error.data["problems"];
  }
  return assert.fail("it was imported");
}

/** An agent as it is imported, and what is reported about it. */
function readAgent(json: Json): { participant: unknown; leftOut: readonly string[]; models: unknown } {
  const { definition, leftOut } = read(roundRobin(json));
  return { participant: definition.participants[0], leftOut, models: definition.models };
}

/** The model that a client is imported as, by its key, and what is reported about it. */
function readModel(provider: string, config: Json): { models: unknown; leftOut: readonly string[] } {
  const client = component("model", provider, config);
  const { models: found, leftOut } = readAgent(assistant("ann", { model_client: client }));
  return { models: found, leftOut };
}

const HERE = "config.participants[0].config";

describe("an AutoGen team", () => {
  it("that is round robin is imported completely", () => {
    const json = team("RoundRobinGroupChat", {
      description: "A team of agents.",
      participants: [assistant("ann"), assistant("bob")],
      termination_condition: condition("MaxMessageTermination", { max_messages: 5, include_agent_event: false }),
      max_turns: 7,
    });
    assert.deepEqual(read(json), {
      definition: {
        name: "Team",
        description: "A team of agents.",
        kind: "roundRobin",
        participants: [helper("ann"), helper("bob")],
        models,
        termination: { maxMessages: 5 },
        maxTurns: 7,
      },
      leftOut: [],
    });
  });

  it("with a selector keeps its prompt, and selects by the same rules", () => {
    const json = team("SelectorGroupChat", {
      participants: [assistant("ann"), assistant("bob")],
      model_client: component("model", "OpenAIChatCompletionClient", { model: "gpt-4o" }),
      selector_prompt: "Of {participants}, who?",
      allow_repeated_speaker: true,
      max_selector_attempts: 4,
      model_client_streaming: true,
      model_context: component("chat_completion_context", "autogen_core.model_context.BufferedChatCompletionContext", {
        buffer_size: 5,
      }),
    });
    const { definition, leftOut } = read(json);
    assert.equal(definition.kind, "selector");
    assert.deepEqual(definition.selector, {
      model: "gpt-4o",
      prompt: "Of {participants}, who?",
      allowRepeats: true,
      maxAttempts: 4,
    });
    assert.deepEqual(leftOut, [
      "config.model_context is left out: the selector's model is shown the whole conversation.",
    ]);
  });

  it("that is a swarm keeps its handoffs", () => {
    const handoff = { target: "bob", description: "When done.", name: "transfer_to_bob", message: "Yours, bob." };
    const json = team("Swarm", {
      participants: [assistant("ann", { handoffs: [handoff, "user"] }), assistant("bob", { handoffs: [] })],
      termination_condition: condition("HandoffTermination", { target: "user" }),
    });
    const { definition, leftOut } = read(json);
    assert.equal(definition.kind, "swarm");
    assert.deepEqual(definition.participants[0]?.handoffs, [
      { target: "bob", description: "When done.", message: "Yours, bob." },
      "user",
    ]);
    assert.equal(definition.participants[1]?.handoffs, undefined);
    assert.deepEqual(definition.termination, { handoff: { target: "user" } });
    assert.deepEqual(leftOut, []);
  });

  it("of Magentic-One keeps its orchestrator's settings", () => {
    const json = team("MagenticOneGroupChat", {
      participants: [assistant("ann")],
      model_client: gpt,
      max_turns: 20,
      max_stalls: 2,
      final_answer_prompt: "In short, what of {task}?",
    });
    const { definition } = read(json);
    assert.equal(definition.kind, "magentic");
    assert.deepEqual(definition.magentic, {
      model: "gpt-4o-mini",
      maxStalls: 2,
      finalAnswerPrompt: "In short, what of {task}?",
    });
    assert.equal(definition.maxTurns, 20);
  });

  it("is named after its class if it has no name", () => {
    const json = component("team", "autogen_agentchat.teams.Swarm", { participants: [assistant("ann")], name: null });
    assert.equal(read(json).definition.name, "Swarm");
  });

  it("inside another team is a participant, and its models belong to the outer team", () => {
    const client = component("model", "OpenAIChatCompletionClient", { model: "o3" });
    const inner = team("RoundRobinGroupChat", {
      name: "crew",
      description: "They write.",
      participants: [assistant("ann", { model_client: client })],
    });
    const { definition } = read(roundRobin(inner, assistant("bob")));
    assert.deepEqual(definition.participants[0], {
      name: "crew",
      kind: "team",
      description: "They write.",
      team: {
        name: "crew",
        description: "They write.",
        kind: "roundRobin",
        participants: [helper("ann", { model: "o3" })],
      },
    });
    assert.deepEqual(Object.keys(definition.models ?? {}), ["o3", "gpt-4o-mini"]);
  });
});

describe("an AutoGen graph", () => {
  const node = (name: string, edges: readonly Json[] = [], activation = "all"): Json => ({ name, edges, activation });
  const flow = (nodes: Json, graph: Json = {}, names = Object.keys(nodes)): Json =>
    team("GraphFlow", { participants: names.map((name) => assistant(name)), graph: { nodes, ...graph } });
  const edge = (target: string, more: Json = {}): Json => ({
    target,
    activation_group: target,
    activation_condition: "all",
    ...more,
  });

  it("keeps its edges with their conditions and joins", () => {
    const { definition, leftOut } = read(
      flow({
        a: node("a", [edge("b", { condition: "go" }), edge("c", { condition: "stay" })]),
        b: node("b", [edge("d", { activation_condition: "any" })]),
        c: node("c", [edge("d", { activation_condition: "any", condition: null })]),
        d: node("d", [], "any"),
      }),
    );
    assert.deepEqual(definition.graph, {
      edges: [
        { from: "a", to: "b", when: "go" },
        { from: "a", to: "c", when: "stay" },
        { from: "b", to: "d", join: "any" },
        { from: "c", to: "d", join: "any" },
      ],
    });
    assert.deepEqual(leftOut, []);
  });

  it("starts a target by each of its groups, and reports a group that would be joined", () => {
    const nodes = {
      a: node("a", [edge("b", { activation_group: "first" })]),
      b: node("b", [edge("c", { condition: "more" }), edge("d", { condition: "done" })]),
      c: node("c", [edge("b", { activation_group: "loop" })]),
      d: node("d"),
    };
    const looping = read(flow(nodes, { default_start_node: "a" }));
    assert.deepEqual(looping.definition.graph, {
      edges: [
        { from: "a", to: "b", join: "any" },
        { from: "b", to: "c", when: "more" },
        { from: "b", to: "d", when: "done" },
        { from: "c", to: "b", join: "any" },
      ],
      entry: "a",
    });
    assert.deepEqual(looping.leftOut, []);

    const waiting = { ...nodes, d: node("d", [edge("b", { activation_group: "loop" })]) };
    assert.deepEqual(read(flow(waiting, { default_start_node: "a" })).leftOut, [
      "config.graph.nodes.c.edges[0].activation_group is left out: the edges to b cannot be joined in groups; each edge starts it.",
      "config.graph.nodes.d.edges[0].activation_group is left out: the edges to b cannot be joined in groups; each edge starts it.",
    ]);
  });

  it("leaves out an entry that is not a node", () => {
    const { definition, leftOut } = read(flow({ a: node("a", [edge("b")]), b: node("b") }, {}, ["a", "b", "idle"]));
    assert.deepEqual(definition.graph?.entry, ["a"]);
    assert.deepEqual(leftOut, ["config.graph.nodes is left out: idle is not a node of the graph, so it never speaks."]);
  });

  it("shows the whole conversation to an agent that saw a part of it, and reports that", () => {
    const filtered = agent(
      {
        name: "ann",
        wrapped_agent: assistant("inner"),
        filter: { per_source: [{ source: "bob", position: "last", count: 1 }] },
      },
      "MessageFilterAgent",
    );
    const { participant, leftOut } = readAgent(filtered);
    assert.deepEqual(participant, helper("ann"));
    assert.deepEqual(leftOut, [
      `${HERE}.filter is left out: participants are shown the whole conversation, or the part that their context keeps.`,
    ]);
  });
});

describe("AutoGen's conditions", () => {
  const base = "autogen_agentchat.base";
  const combined = (kind: "And" | "Or", ...conditions: readonly Json[]): Json =>
    component("termination", `${base}.${kind}TerminationCondition`, { conditions });
  const readCondition = (json: Json) => {
    const { definition, leftOut } = read(
      team("RoundRobinGroupChat", { participants: [assistant("ann")], termination_condition: json }),
    );
    return { termination: definition.termination, leftOut };
  };

  it("are all imported, including combinations", () => {
    const all = combined(
      "Or",
      condition("StopMessageTermination"),
      condition("MaxMessageTermination", { max_messages: 10 }),
      condition("TextMentionTermination", { text: "TERMINATE" }),
      condition("TextMentionTermination", { text: "OK", sources: ["ann"] }),
      combined(
        "And",
        condition("TokenUsageTermination", { max_total_token: 100, max_prompt_token: null }),
        condition("TimeoutTermination", { timeout_seconds: 2.5 }),
      ),
      condition("HandoffTermination", { target: "user" }),
      condition("ExternalTermination"),
      condition("SourceMatchTermination", { sources: ["ann"] }),
      condition("TextMessageTermination", { source: "ann" }),
      condition("TextMessageTermination", {}),
      condition("FunctionCallTermination", { function_name: "search" }),
    );
    assert.deepEqual(readCondition(all), {
      termination: {
        any: [
          { stopMessage: true },
          { maxMessages: 10 },
          { textMention: { text: "TERMINATE" } },
          { textMention: { text: "OK", sources: ["ann"] } },
          { all: [{ tokenUsage: { total: 100 } }, { timeout: { seconds: 2.5 } }] },
          { handoff: { target: "user" } },
          { external: true },
          { sourceMatch: { sources: ["ann"] } },
          { textMessage: { source: "ann" } },
          { textMessage: {} },
          { functionCall: { name: "search" } },
        ],
      },
      leftOut: [],
    });
  });

  it("that are Python code or unknown are omitted and reported", () => {
    const json = combined(
      "Or",
      component("termination", "my_package.Sundown", { hour: 18 }),
      condition("FunctionalTermination"),
      condition("MaxMessageTermination", { max_messages: 3, include_agent_event: true }),
    );
    const place = "config.termination_condition.config.conditions";
    assert.deepEqual(readCondition(json), {
      termination: { maxMessages: 3 },
      leftOut: [
        `${place}[0] is left out: there is no counterpart for my_package.Sundown; a combined condition uses only its other parts.`,
        `${place}[1] is left out: it is Python code; a combined condition uses only its other parts.`,
        `${place}[2].config.include_agent_event is left out: events are not counted as messages here.`,
      ],
    });
  });
});

describe("AutoGen's agents", () => {
  it("keep an assistant's settings, and report its Python tools by name", () => {
    const tool = component("tool", "autogen_core.tools.FunctionTool", {
      source_code: "def calculate(): ...",
      name: "calculate",
      description: "Calculates.",
      global_imports: [],
      has_cancellation_support: false,
    });
    const memory = component("memory", "autogen_core.memory.ListMemory", {
      name: "facts",
      memory_contents: [
        { content: "The user likes tea.", mime_type: "text/plain" },
        { content: { city: "Bern" }, mime_type: "application/json" },
        { content: "aGk=", mime_type: "image/*" },
      ],
    });
    const factory = component("structured_message", "autogen_agentchat.messages.StructuredMessageFactory", {
      json_schema: { type: "object", properties: { verdict: { type: "string" } } },
      content_model_name: "Verdict",
      format_string: "{verdict}",
    });
    const { participant, leftOut } = readAgent(
      assistant("ann", {
        system_message: null,
        tools: [tool],
        workbench: [
          component("workbench", "autogen_core.tools.StaticWorkbench", { tools: [tool] }),
          component("workbench", "autogen_ext.tools.mcp.McpWorkbench", {
            server_params: { env: { TOKEN: "t0psecret" } },
          }),
        ],
        handoffs: [{ target: "bob", name: "ask_bob" }],
        memory: [memory, component("memory", "autogen_ext.memory.chromadb.ChromaDBVectorMemory", {})],
        structured_message_factory: factory,
        reflect_on_tool_use: true,
        tool_call_summary_format: "{tool_name}: {result}",
        max_tool_iterations: 4,
        metadata: { owner: "ops" },
      }),
    );
    assert.deepEqual(participant, {
      name: "ann",
      description: "An agent.",
      model: "gpt-4o-mini",
      handoffs: [{ target: "bob" }],
      output: { name: "Verdict", schema: { type: "object", properties: { verdict: { type: "string" } } } },
      memory: { notes: ["The user likes tea.", '{"city":"Bern"}'] },
      maxToolIterations: 4,
      reflectOnToolUse: true,
      toolCallSummaryFormat: "{tool_name}: {result}",
    });
    const alternative = "give the participant tools of Gavel, or tools that a client registers";
    assert.deepEqual(leftOut, [
      `${HERE}.handoffs[0].name is left out: the tool of a handoff is named after its target here.`,
      `${HERE}.structured_message_factory.config.format_string is left out: a structured message is shown as it is.`,
      `${HERE}.memory[0].config.memory_contents[2] is left out: only texts can be remembered here.`,
      `${HERE}.memory[1] is left out: there is no counterpart for ChromaDBVectorMemory; give the texts themselves in memory.notes or memory.files.`,
      `${HERE}.tools[0] is left out: the tool calculate is Python code; ${alternative}.`,
      `${HERE}.workbench[0].config.tools[0] is left out: the tool calculate is Python code; ${alternative}.`,
      `${HERE}.workbench[1] is left out: there is no counterpart for McpWorkbench; ${alternative}.`,
      `${HERE}.metadata is left out: it has no counterpart here.`,
    ]);
  });

  it("call tools once per turn by default, as in AutoGen", () => {
    const { participant } = readAgent(assistant("ann", { max_tool_iterations: undefined }));
    assert.equal((participant as Json)["maxToolIterations"], 1);
  });

  it("see the part of the conversation that their context shows", () => {
    const contextOf = (kind: string, config: Json) => {
      const provider = `autogen_core.model_context.${kind}ChatCompletionContext`;
      const { participant, leftOut } = readAgent(
        assistant("ann", { model_context: component("chat_completion_context", provider, config) }),
      );
      return [(participant as Json)["context"], ...leftOut];
    };
    assert.deepEqual(contextOf("Buffered", { buffer_size: 5 }), [{ kind: "buffered", size: 5 }]);
    assert.deepEqual(contextOf("HeadAndTail", { head_size: 1, tail_size: 2 }), [
      { kind: "headAndTail", head: 1, tail: 2 },
    ]);
    assert.deepEqual(contextOf("TokenLimited", { token_limit: 900, model_client: gpt }), [
      { kind: "tokenLimited", size: 900 },
    ]);
    assert.deepEqual(contextOf("Unbounded", { initial_messages: [{ content: "Hi", type: "SystemMessage" }] }), [
      undefined,
      `${HERE}.model_context.config.initial_messages is left out: a context starts empty here; put these texts into instructions or memory.notes.`,
    ]);
  });

  it("that represent the user are user participants", () => {
    const { participant, leftOut } = readAgent(agent({ name: "me", description: "A human user" }, "UserProxyAgent"));
    assert.deepEqual(participant, { name: "me", kind: "user", description: "A human user" });
    assert.deepEqual(leftOut, []);
  });

  it("of the kind SocietyOfMindAgent summarize with both of their prompts", () => {
    const society = agent(
      {
        name: "minds",
        team: roundRobin(assistant("ann")),
        model_client: gpt,
        description: "Many.",
        instruction: "They said:",
        response_prompt: "Sum it up.",
      },
      "SocietyOfMindAgent",
    );
    assert.deepEqual(readAgent(society).participant, {
      name: "minds",
      kind: "societyOfMind",
      description: "Many.",
      instructions: "They said:\n\nSum it up.",
      model: "gpt-4o-mini",
      team: { name: "Team", kind: "roundRobin", participants: [helper("ann")] },
    });
  });

  it("of an unknown class only speak, which is reported; without a model they are rejected", () => {
    const surfer = component("agent", "autogen_ext.agents.web_surfer.MultimodalWebSurfer", {
      name: "surfer",
      model_client: gpt,
      description: "Browses.",
      headless: true,
    });
    const { participant, leftOut } = readAgent(surfer);
    assert.deepEqual(participant, { name: "surfer", description: "Browses.", model: "gpt-4o-mini" });
    assert.deepEqual(leftOut, [
      "config.participants[0] is left out: there is no counterpart for MultimodalWebSurfer; it becomes an assistant without tools.",
      `${HERE}.headless is left out: it has no counterpart here.`,
    ]);
    assert.deepEqual(problems(roundRobin(agent({ name: "runner", code_executor: {} }, "CodeExecutorAgent"))), [
      {
        path: "config.participants[0]",
        message: "there is no counterpart for CodeExecutorAgent; replace it with an AssistantAgent",
      },
    ]);
  });
});

describe("AutoGen's model clients", () => {
  const OPENAI = "autogen_ext.models.openai.OpenAIChatCompletionClient";
  const AZURE = "autogen_ext.models.openai.AzureOpenAIChatCompletionClient";
  const OLLAMA = "autogen_ext.models.ollama.OllamaChatCompletionClient";
  const CLIENT = `${HERE}.model_client.config`;

  it("become one model if they are equal, and several if not", () => {
    const warm = component("model", OPENAI, { model: "gpt-4o-mini", temperature: 1 });
    const { definition } = read(
      roundRobin(assistant("ann"), assistant("bob", { model_client: warm }), assistant("cid", { model_client: gpt })),
    );
    assert.deepEqual(
      definition.participants.map(({ model }) => model),
      ["gpt-4o-mini", "gpt-4o-mini-2", "gpt-4o-mini"],
    );
    assert.deepEqual(definition.models, {
      ...models,
      "gpt-4o-mini-2": { provider: "openai", model: "gpt-4o-mini", temperature: 1 },
    });
  });

  it("never export a key", () => {
    const config = { model: "m", base_url: "http://localhost:1234/v1", api_key: "sk-t0psecret" };
    const result = readModel(OPENAI, config);
    assert.deepEqual(result, {
      models: {
        m: { provider: "openai", model: "m", baseUrl: "http://localhost:1234/v1", apiKey: { secret: "openai" } },
      },
      leftOut: [
        `${CLIENT}.api_key is left out: a key does not belong in a file; store it under the name openai with Gavel: Set API Key.`,
      ],
    });
    assert.doesNotMatch(JSON.stringify(result), /t0psecret/);
  });

  it("keep the supported request settings, and report the others without their values", () => {
    const { models: found, leftOut } = readModel(OPENAI, {
      model: "o3",
      temperature: 0.2,
      max_tokens: 500,
      max_retries: 12,
      add_name_prefixes: true,
      reasoning_effort: "low",
      seed: 7,
      default_headers: { "x-token": "t0psecret" },
      model_info: { vision: false },
      timeout: 30,
      include_name_in_message: false,
    });
    assert.deepEqual(found, {
      o3: {
        provider: "openai",
        model: "o3",
        temperature: 0.2,
        maxTokens: 500,
        maxRetries: 10,
        addNamePrefixes: true,
        reasoning: { effort: "low" },
      },
    });
    assert.deepEqual(leftOut, [
      `${CLIENT}.max_retries is left out: a request is retried at most 10 times.`,
      `${CLIENT}.seed is left out: requests are sent without it.`,
      `${CLIENT}.default_headers is left out: requests are sent without it.`,
      `${CLIENT}.model_info is left out: every model is assumed to support what a request asks for.`,
      `${CLIENT}.timeout is left out: a request may take as long as the run.`,
      `${CLIENT}.include_name_in_message is left out: names are sent; set addNamePrefixes for a model that ignores them.`,
    ]);
  });

  it("use AutoGen's endpoints for a model's name", () => {
    assert.deepEqual(readModel(OPENAI, { model: "gemini-2.0-flash" }).models, {
      "gemini-2.0-flash": {
        provider: "openai",
        model: "gemini-2.0-flash",
        baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai/",
        apiKey: { secret: "gemini" },
      },
    });
  });

  it("of Azure are deployments", () => {
    const { models: found, leftOut } = readModel(AZURE, {
      model: "gpt-4o",
      azure_endpoint: "https://mine.openai.azure.com",
      azure_deployment: "four-o",
      api_version: "2024-10-21",
      api_key: "**********",
      azure_ad_token: "t0psecret",
    });
    assert.deepEqual(found, {
      "four-o": {
        provider: "azure",
        endpoint: "https://mine.openai.azure.com",
        deployment: "four-o",
        apiVersion: "2024-10-21",
        apiKey: { secret: "openai" },
      },
    });
    assert.equal(leftOut.length, 2);
    assert.match(leftOut[1] ?? "", /azure_ad_token is left out: a deployment is called with an API key here/);
  });

  it("of Ollama use the OpenAI endpoint of its host", () => {
    const { models: found, leftOut } = readModel(OLLAMA, {
      model: "llama3.2",
      options: { temperature: 0.1, num_predict: 64, num_ctx: 4096, mirostat: 1 },
      response_format: {},
      follow_redirects: true,
    });
    assert.deepEqual(found, {
      "llama3.2": {
        provider: "openai",
        model: "llama3.2",
        baseUrl: "http://localhost:11434/v1",
        temperature: 0.1,
        maxTokens: 64,
        contextWindow: 4096,
      },
    });
    assert.deepEqual(leftOut, [`${CLIENT}.options.mirostat is left out: requests are sent without it.`]);
    assert.deepEqual(readModel(OLLAMA, { model: "q", host: "gpu.local:11434/" }).models, {
      q: { provider: "openai", model: "q", baseUrl: "http://gpu.local:11434/v1" },
    });
  });

  it("without a counterpart leave their agents the team's default model", () => {
    const { models: found, leftOut } = readModel("autogen_ext.models.anthropic.AnthropicChatCompletionClient", {
      model: "claude",
      api_key: "t0psecret",
    });
    assert.equal(found, undefined);
    assert.deepEqual(leftOut, [
      `${HERE}.model_client is left out: there is no counterpart for AnthropicChatCompletionClient; agents that used it get models.default, the team's only model, or the model of the setting gavel.model.`,
    ]);
  });
});

describe("a value that is not an AutoGen team", () => {
  it("is distinguished from one", () => {
    assert.equal(isAutoGenComponent(roundRobin()), true);
    assert.equal(isAutoGenComponent(assistant("ann")), true);
    assert.equal(isAutoGenComponent({ name: "Talk", kind: "swarm", participants: [] }), false);
    assert.equal(isAutoGenComponent({ provider: "openai", model: "m" }), false);
    assert.equal(isAutoGenComponent([]), false);
    assert.equal(isAutoGenComponent(null), false);
  });

  it("is rejected with all problems and their paths", () => {
    assert.deepEqual(problems(assistant("ann")), [
      {
        path: "",
        message:
          "AssistantAgent is not a team that can be imported; use one of RoundRobinGroupChat, SelectorGroupChat, Swarm, GraphFlow, MagenticOneGroupChat",
      },
    ]);
    const json = team("RoundRobinGroupChat", {
      participants: [agent({ name: "ann b", model_client: gpt }), agent({ model_client: { provider: 7 } }), "bob"],
      termination_condition: condition("MaxMessageTermination", { max_messages: "3" }),
    });
    assert.deepEqual(problems(json), [
      {
        path: "config.participants[2]",
        message: "should be an AutoGen component: a map with `provider` and `config`",
      },
      {
        path: "config.participants[0].config.name",
        message: "should be 1 to 64 letters, digits, _ or -, and start with a letter",
      },
      { path: "config.participants[1].config.name", message: "should be text" },
      {
        path: "config.participants[1].config.model_client",
        message: "should be an AutoGen component: a map with `provider` and `config`",
      },
      { path: "config.termination_condition.config.max_messages", message: "should be a number" },
    ]);
  });

  it("does no harm when it is nested endlessly, or has the keys of JavaScript's objects", () => {
    let nested: Json = roundRobin(assistant("ann"));
    for (let depth = 0; depth < 2_000; depth++) nested = roundRobin(nested);
    assert.match(JSON.stringify(problems(nested)), /is nested more than 50 components deep/);
    assert.match(JSON.stringify(problems(component("team", "constructor"))), /constructor is not a team/);
    assert.match(JSON.stringify(problems(team("RoundRobinGroupChat", {}))), /participants of the imported team/);
  });
});
