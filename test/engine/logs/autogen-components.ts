type Json = Readonly<Record<string, unknown>>;

const component = (provider: string, config: Json): Json => ({ provider, config });
const chat = (of: string, name: string, config: Json = {}): Json =>
  component(`autogen_agentchat.${of}.${name}`, config);
const core = (name: string, config: Json = {}): Json => component(`autogen_core.model_context.${name}`, config);

const gpt = component("openai_chat_completion_client", {
  model: "gpt-4o",
  api_key: "kept out",
  temperature: 0.5,
  max_tokens: 100,
  add_name_prefixes: true,
  top_p: 1,
});
const azure = component("azure_openai_chat_completion_client", {
  model: "gpt-4o",
  azure_endpoint: "https://a.openai.azure.com",
  azure_deployment: "mine",
  api_version: "2024-06-01",
});
const gemini = component("autogen_ext.models.openai.OpenAIChatCompletionClient", { model: "gemini-2.0-flash" });
const llama = component("autogen_ext.models.ollama.OllamaChatCompletionClient", {
  model: "llama3",
  host: "http://127.0.0.1:11434",
  options: { temperature: 0.1, num_predict: 50 },
});
const other = component("somewhere.OtherClient", { model: "x" });

const agent = (name: string, config: Json = {}): Json =>
  chat("agents", "AssistantAgent", {
    name,
    model_client: gpt,
    description: "An agent.",
    system_message: "Help.",
    ...config,
  });

const ann = agent("ann", {
  workbench: [
    component("autogen_core.tools.StaticWorkbench", {
      tools: [
        component("autogen_core.tools.FunctionTool", { name: "add", source_code: "…" }),
        component("a.OtherTool", {}),
      ],
    }),
    component("autogen_ext.tools.mcp.McpWorkbench", { server_params: {} }),
  ],
  model_context: core("BufferedChatCompletionContext", { buffer_size: 5 }),
  memory: [
    component("autogen_core.memory.ListMemory", {
      name: "m",
      memory_contents: [
        { content: "a note", mime_type: "text/plain" },
        { content: { a: 1 }, mime_type: "application/json" },
        { content: "…", mime_type: "image/png" },
      ],
    }),
    component("a.VectorMemory", {}),
  ],
  handoffs: ["bob", { target: "bob", description: "To bob.", name: "transfer_to_bob", message: "Here." }],
  reflect_on_tool_use: true,
  tool_call_summary_format: "{result}",
  max_tool_iterations: 3,
  structured_message_factory: component("a.Factory", {
    json_schema: { type: "object" },
    format_string: "{a}",
    content_model_name: "A",
  }),
});
const bob = agent("bob", {
  model_client: azure,
  model_context: core("HeadAndTailChatCompletionContext", { head_size: 1, tail_size: 2, initial_messages: ["x"] }),
});
const user = chat("agents", "UserProxyAgent", { name: "you", description: "A person.", input_func: "input" });
const inner = chat("teams", "RoundRobinGroupChat", {
  name: "Inner",
  description: "Within.",
  participants: [
    agent("eve", {
      model_client: llama,
      model_context: core("TokenLimitedChatCompletionContext", { token_limit: 50 }),
    }),
  ],
  max_turns: 1,
});
const mind = chat("agents", "SocietyOfMindAgent", {
  name: "mind",
  model_client: gemini,
  team: inner,
  description: "Sums up.",
  instruction: "Earlier:",
  response_prompt: "Answer.",
});
const filtered = chat("agents", "MessageFilterAgent", {
  name: "filtered",
  wrapped_agent: agent("wrapped", { model_client: other }),
  filter: { per_source: [{ source: "ann", position: "last", count: 1 }] },
});

const condition = (name: string, config: Json = {}): Json => chat("conditions", name, config);
const either = chat("base", "OrTerminationCondition", {
  conditions: [
    condition("MaxMessageTermination", { max_messages: 9, include_agent_event: true }),
    condition("TextMentionTermination", { text: "DONE", sources: ["ann"] }),
    condition("StopMessageTermination"),
    condition("TokenUsageTermination", { max_total_token: 100, max_prompt_token: 50, max_completion_token: 50 }),
    chat("base", "AndTerminationCondition", {
      conditions: [
        condition("HandoffTermination", { target: "you" }),
        condition("TimeoutTermination", { timeout_seconds: 5 }),
        condition("ExternalTermination"),
      ],
    }),
    condition("SourceMatchTermination", { sources: ["bob"] }),
    condition("TextMessageTermination", { source: "bob" }),
    condition("FunctionCallTermination", { function_name: "add" }),
    condition("FunctionalTermination", { func: "…" }),
  ],
});

const edge = (target: string, config: Json = {}): Json => ({ target, ...config });

/** Teams as AutoGen writes them, which together have every key that is read. */
export const autoGenTeams: Readonly<Record<string, Json>> = {
  "round-robin": chat("teams", "RoundRobinGroupChat", {
    name: "Round",
    description: "A team.",
    participants: [ann, bob, user, mind, filtered, inner],
    termination_condition: either,
    max_turns: 8,
    emit_team_events: true,
  }),
  selector: chat("teams", "SelectorGroupChat", {
    name: "Selector",
    participants: [ann, bob],
    model_client: llama,
    model_context: core("UnboundedChatCompletionContext"),
    selector_prompt: "Who of {participants}?",
    allow_repeated_speaker: true,
    max_selector_attempts: 2,
    selector_func: "…",
    model_client_streaming: true,
  }),
  swarm: chat("teams", "Swarm", {
    name: "Swarm",
    participants: [ann, bob],
    termination_condition: condition("ExternalTermination"),
  }),
  magentic: chat("teams", "MagenticOneGroupChat", {
    name: "Magentic",
    participants: [ann],
    model_client: gpt,
    max_stalls: 2,
    final_answer_prompt: "Answer {task}.",
  }),
  graph: chat("teams", "GraphFlow", {
    name: "Graph",
    participants: [agent("a"), agent("b"), agent("c"), agent("idle")],
    graph: {
      nodes: {
        a: {
          name: "a",
          activation: "all",
          edges: [edge("b", { condition: "go" }), edge("c", { activation_group: "x" })],
        },
        b: { name: "b", edges: [edge("c", { activation_condition: "any", activation_group: "y" })] },
        c: { name: "c", edges: [edge("b", { activation_group: "z" }), edge("a", { activation_group: "x" })] },
      },
      default_start_node: "a",
    },
  }),
};
