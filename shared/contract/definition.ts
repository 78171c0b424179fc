import * as z from "zod";
import { Condition } from "./condition.ts";
import { InterruptRule } from "./interrupt-rule.ts";
import { httpHeaders, McpServer, McpServerName } from "./mcp.ts";

/** A tool as it is described to the model. `approval: ask` asks the user before every call. */
export const ToolDeclaration = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "should be 1 to 64 letters, digits, _ or -"),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  approval: z.enum(["never", "ask"]).optional(),
  interrupt: z.literal(true).optional(),
  /**
   * What an interrupt does to a running call: `abort` it (the default), `wait` for it, or leave it running in the
   * `background`.
   */
  onInterrupt: z.enum(["abort", "wait", "background"]).optional(),
  /** It changes nothing, so a call that was cut short had no effects. */
  readOnly: z.literal(true).optional(),
});
export type ToolDeclaration = z.infer<typeof ToolDeclaration>;

const workerName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "should be 1 to 64 letters, digits, _ or -");

/** Tools of a worker: one by its name, or several, a star standing for any characters. */
export const WorkerTool = z.strictObject({
  name: z.string().min(1).max(64),
  on: z.strictObject({ worker: workerName }),
});
export type WorkerTool = z.infer<typeof WorkerTool>;

const toolInput = z.record(z.string(), z.unknown());

/** One step of a practice participant: a line of text, tool calls, or both. */
export const PracticeLine = z.union([
  z.string(),
  z.strictObject({
    say: z.string().optional(),
    calls: z.array(z.strictObject({ tool: z.string(), input: toolInput.optional() })).optional(),
  }),
]);
export type PracticeLine = z.infer<typeof PracticeLine>;

const practiceScript = z.record(z.string(), z.array(PracticeLine));

/** The offline model: it plays the lines in the team file, so that every flow can be tried without a key. */
export const PracticeModel = z.strictObject({
  provider: z.literal("practice"),
  /** Words per second; 0 plays without delay. The default is a reading pace. */
  pace: z.number().min(0).max(1000).optional(),
  /** What each participant says and does in its turns, step by step. */
  lines: practiceScript.optional(),
  /** What each participant answers to a message that the user sent to it alone. */
  asked: practiceScript.optional(),
});
export type PracticeModel = z.infer<typeof PracticeModel>;

const httpUrl = z.url({ protocol: /^https?$/, error: "should be an http or https URL" });

/** US dollars per million tokens. */
const tokenPrice = {
  prompt: z.number().min(0),
  completion: z.number().min(0),
  /** Of prompt tokens that the endpoint had cached; the same as `prompt` if left out. */
  cachedPrompt: z.number().min(0).optional(),
};

/**
 * The keys of further models, which answer in this order when this one is out of order, overloaded, refuses the key or the
 * request. Those of a fallback are not used.
 */
const fallback = z.array(z.string().min(1)).min(1).max(10).optional();

/** The settings of every model behind an endpoint. */
const endpointFields = {
  fallback,
  apiKey: z.strictObject({ secret: z.string().min(1) }).optional(),
  maxTokens: z.number().int().positive().optional(),
  /** How often a failed request is retried, 2 if left out. */
  maxRetries: z.number().int().min(0).max(10).optional(),
  /** When an answer that does not end is given up. The defaults are those of `answer-limits.ts`. */
  limits: z
    .strictObject({
      /** Seconds without a part of the answer. */
      idleSeconds: z.number().int().min(1).max(86_400).optional(),
      /** Bytes without an event. */
      eventBytes: z.number().int().min(1_000).max(64_000_000).optional(),
      answerBytes: z.number().int().min(1_000).max(1_000_000_000).optional(),
    })
    .optional(),
  /** The limit on the tokens of a request and its answer; the default size of a `tokenLimited` context. */
  contextWindow: z.number().int().positive().optional(),
  /** With it, usage has a `cost`. */
  price: z.strictObject(tokenPrice).optional(),
};

/** The settings of every model behind one of OpenAI's APIs. */
const openAiFields = {
  ...endpointFields,
  api: z.enum(["chat", "responses"]).optional(),
  temperature: z.number().min(0).max(2).optional(),
  /** How long a reasoning model thinks, and whether its summary is shown as thoughts. */
  reasoning: z
    .strictObject({
      effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]).optional(),
      summary: z.enum(["auto", "concise", "detailed"]).optional(),
    })
    .optional(),
  /** Adds "NAME said:" before other participants' messages, for models that ignore a message's `name` (as in AutoGen). */
  addNamePrefixes: z.boolean().optional(),
};

/** A model behind any OpenAI-compatible endpoint. With a `baseUrl` and no `apiKey` it is called without a key. */
export const OpenAiModel = z.strictObject({
  provider: z.literal("openai"),
  model: z.string().min(1),
  baseUrl: httpUrl.optional(),
  ...openAiFields,
});
export type OpenAiModel = z.infer<typeof OpenAiModel>;

/** A deployment of Azure OpenAI. */
export const AzureModel = z.strictObject({
  provider: z.literal("azure"),
  /** The resource, such as `https://NAME.openai.azure.com`. */
  endpoint: httpUrl,
  deployment: z.string().min(1),
  apiVersion: z.string().min(1).optional(),
  ...openAiFields,
});
export type AzureModel = z.infer<typeof AzureModel>;

/** A model behind Anthropic's Messages API. With a `baseUrl` and no `apiKey` it is called without a key. */
export const AnthropicModel = z.strictObject({
  provider: z.literal("anthropic"),
  model: z.string().min(1),
  baseUrl: httpUrl.optional(),
  ...endpointFields,
  /** With an `effort` alone the model decides how long it thinks; with a budget it thinks up to that many tokens. */
  reasoning: z
    .strictObject({
      effort: z.enum(["none", "low", "medium", "high", "xhigh", "max"]).optional(),
      budgetTokens: z.number().int().min(1_024).optional(),
    })
    .optional(),
  price: z
    .strictObject({
      ...tokenPrice,
      /** Of prompt tokens that are written to the cache. */
      cacheWrite: z.number().min(0).optional(),
    })
    .optional(),
});
export type AnthropicModel = z.infer<typeof AnthropicModel>;

/** A model behind the Gemini API. With a `baseUrl` and no `apiKey` it is called without a key. */
export const GeminiModel = z.strictObject({
  provider: z.literal("gemini"),
  model: z.string().min(1),
  baseUrl: httpUrl.optional(),
  ...endpointFields,
  temperature: z.number().min(0).max(2).optional(),
  /** With an `effort` the model thinks as much as that; with a budget up to that many tokens, 0 for none. */
  reasoning: z
    .strictObject({
      effort: z.enum(["minimal", "low", "medium", "high"]).optional(),
      budgetTokens: z.number().int().min(0).optional(),
    })
    .optional(),
});
export type GeminiModel = z.infer<typeof GeminiModel>;

/**
 * A model that the client supplies. In VS Code it is one of the editor's language models, such as those of GitHub Copilot:
 * the editor asks the user for consent, and no key is needed.
 */
export const ClientModel = z.strictObject({
  provider: z.literal("vscode"),
  /** Who offers it, such as `copilot`; anybody if left out. */
  vendor: z.string().min(1).optional(),
  /** Its id, family or name, such as `gpt-5-mini`; the first that the client has if left out. */
  model: z.string().min(1).optional(),
  maxTokens: z.number().int().positive().optional(),
  fallback,
  contextWindow: endpointFields.contextWindow,
  price: endpointFields.price,
});
export type ClientModel = z.infer<typeof ClientModel>;

/** A model of a worker, which has its key and its settings. */
export const WorkerModel = z.strictObject({
  provider: z.literal("worker"),
  on: z.strictObject({ worker: workerName }),
  /** What the worker calls it. */
  model: z.string().min(1).max(200),
  fallback,
  contextWindow: endpointFields.contextWindow,
  price: endpointFields.price,
});
export type WorkerModel = z.infer<typeof WorkerModel>;

export const ModelDefinition = z.discriminatedUnion("provider", [
  OpenAiModel,
  AzureModel,
  AnthropicModel,
  GeminiModel,
  ClientModel,
  WorkerModel,
  PracticeModel,
]);
export type ModelDefinition = z.infer<typeof ModelDefinition>;

/**
 * How much of the conversation a participant's model is shown; the names but `summarized` are those of AutoGen's model
 * contexts. `size` counts messages, or tokens for `tokenLimited` and `summarized`.
 */
export const ContextDefinition = z.strictObject({
  kind: z.enum(["unbounded", "buffered", "headAndTail", "tokenLimited", "summarized"]),
  size: z.number().int().positive().optional(),
  head: z.number().int().positive().optional(),
  tail: z.number().int().positive().optional(),
});
export type ContextDefinition = z.infer<typeof ContextDefinition>;

export const Capability = z.strictObject({
  kind: z.string(),
  to: z.union([z.string(), z.array(z.string())]).optional(),
  /** For `reasoning/interrupt`: how often in a minute, 6 if left out. */
  maxPerMinute: z.number().int().positive().optional(),
});
export type Capability = z.infer<typeof Capability>;

const participantName = z
  .string()
  .regex(/^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u, "should be 1 to 64 letters, digits, _ or -, and start with a letter");

/** A program outside the team that watches over it: the `from` of its requests, and what it may do to participants. */
export const Monitor = z.strictObject({ name: participantName, capabilities: z.array(Capability).min(1) });
export type Monitor = z.infer<typeof Monitor>;

/** What a participant's model is always shown beside the conversation: texts, files, and its own notes. */
export const MemoryDefinition = z.strictObject({
  notes: z.array(z.string()).optional(),
  /** Files of the workspace, read again at each of its turns. */
  files: z.array(z.string().min(1)).optional(),
  /** Gives it the tool `remember`, whose notes are kept with the team whatever its context drops. */
  keep: z.boolean().optional(),
});
export type MemoryDefinition = z.infer<typeof MemoryDefinition>;

/** A target for handoffs: a name, or a name with a description for the model and the message of the handoff. */
export const HandoffDefinition = z.union([
  z.string(),
  z.strictObject({ target: z.string(), description: z.string().optional(), message: z.string().optional() }),
]);
export type HandoffDefinition = z.infer<typeof HandoffDefinition>;

export const ParticipantKind = z.enum(["assistant", "user", "team", "societyOfMind", "acp", "a2a"]);
export type ParticipantKind = z.infer<typeof ParticipantKind>;

const participantFields = {
  name: participantName,
  /**
   * `user` pauses the team until the user answers. `team` is a nested team, whose last message is its answer. For
   * `societyOfMind` a model summarizes the nested team's conversation (AutoGen's SocietyOfMindAgent), following
   * `instructions`. `acp` is a program that speaks the Agent Client Protocol, `a2a` an agent elsewhere that speaks
   * Agent2Agent.
   */
  kind: ParticipantKind.optional(),
  description: z.string().optional(),
  instructions: z.string().optional(),
  model: z.string().optional(),
  /** Where it runs, if not in the agent host. Its model and its tools are those of the worker's own participant. */
  on: z
    .strictObject({
      worker: workerName,
      /** What the worker calls it; its own name if left out. */
      participant: z.string().min(1).max(64).optional(),
    })
    .optional(),
  tools: z.array(z.union([z.string(), ToolDeclaration, WorkerTool])).optional(),
  /** Its tools whose results the user reviews before its model sees them, by name; a star stands for any characters. */
  review: z.array(z.string().min(1).max(200)).max(100).optional(),
  handoffs: z.array(HandoffDefinition).optional(),
  /** Its answer is JSON that matches this schema, sent as a StructuredMessage. */
  output: z
    .strictObject({
      name: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,64}$/)
        .optional(),
      schema: z.record(z.string(), z.unknown()),
    })
    .optional(),
  memory: MemoryDefinition.optional(),
  maxToolIterations: z.number().int().min(1).optional(),
  reflectOnToolUse: z.boolean().optional(),
  /**
   * The text for each call of a tool-call summary, with {tool_name}, {arguments}, {result} and {is_error} (as in AutoGen).
   */
  toolCallSummaryFormat: z.string().min(1).optional(),
  capabilities: z.array(Capability).optional(),
  context: ContextDefinition.optional(),
  /** The program of an `acp` participant: its name on the PATH or its path, without a shell. */
  command: z.string().min(1).max(4096).optional(),
  args: z.array(z.string().max(20_000)).max(200).optional(),
  /** Environment variables of the program. `${env:NAME}` is a variable of the host. */
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string().max(100_000)).optional(),
  /** Its folder, relative to the workspace folder; the workspace folder if left out. */
  cwd: z.string().min(1).max(4096).optional(),
  /** Where an `a2a` participant is: its base address, or that of its agent card. */
  url: httpUrl.max(4096).optional(),
  /** The key that it is sent. */
  apiKey: z.strictObject({ secret: z.string().min(1) }).optional(),
  /** Headers of requests to the origin of `url`. `${env:NAME}` and `${input:NAME}` are filled in, as for an MCP server. */
  headers: httpHeaders.optional(),
};

export type ParticipantDefinition = z.infer<z.ZodObject<typeof participantFields>> & {
  readonly team?: TeamDefinition | undefined;
};

export const ParticipantDefinition: z.ZodType<ParticipantDefinition> = z.lazy(() =>
  z.strictObject({ ...participantFields, team: TeamDefinition.optional() }),
) as z.ZodType<ParticipantDefinition>;

export const TeamKind = z.enum(["roundRobin", "selector", "swarm", "graph", "magentic"]);
export type TeamKind = z.infer<typeof TeamKind>;

const oneOrMore = z.union([z.string(), z.array(z.string()).min(1)]);

/** Restricts who may speak next; the first rule that matches applies. With one name left, no model is called. */
export const SelectorRule = z.strictObject({
  /** The last speaker; any if left out. */
  after: oneOrMore.optional(),
  /** Text that the last message contains. */
  mentions: z.string().min(1).optional(),
  choose: oneOrMore,
});
export type SelectorRule = z.infer<typeof SelectorRule>;

/**
 * When an edge is taken: text that the speaker's message contains (AutoGen's string condition), text that it lacks, or a
 * regular expression that it matches.
 */
export const EdgeCondition = z.union([
  z.string().min(1),
  z.strictObject({ contains: z.string().min(1) }),
  z.strictObject({ lacks: z.string().min(1) }),
  z.strictObject({ matches: z.string().min(1) }),
]);
export type EdgeCondition = z.infer<typeof EdgeCondition>;

export const GraphEdge = z.strictObject({
  from: z.string(),
  to: z.string(),
  when: EdgeCondition.optional(),
  /** Whether the target waits for `all` of its edges that can still be taken (the default), or for `any` one. */
  join: z.enum(["all", "any"]).optional(),
});
export type GraphEdge = z.infer<typeof GraphEdge>;

/** A team as its author writes it: its participants, how speakers are selected, its models, and when a run ends. */
export const TeamDefinition = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  kind: TeamKind,
  participants: z.array(ParticipantDefinition).min(1, "a team needs at least one participant"),
  models: z.record(z.string(), ModelDefinition).optional(),
  /** Servers of the Model Context Protocol, by name. Their tools are `server/tool`. Only in the outermost team. */
  mcpServers: z.record(McpServerName, McpServer).optional(),
  termination: Condition.optional(),
  maxTurns: z.number().int().min(1).optional(),
  /** How many users have to approve a call before it runs, if the chair requires no more. Only in the outermost team. */
  approvals: z.strictObject({ required: z.number().int().min(1).max(20) }).optional(),
  /** Rules that interrupt a run of this team, or of teams nested in it. */
  interrupts: z.array(InterruptRule).optional(),
  /** Senders outside the team that may interrupt participants' reasoning. */
  monitors: z.array(Monitor).optional(),
  selector: z
    .strictObject({
      model: z.string().optional(),
      prompt: z.string().optional(),
      allowRepeats: z.boolean().optional(),
      /** How often the model is asked before the previous speaker is selected again, 3 if left out. */
      maxAttempts: z.number().int().min(1).max(10).optional(),
      rules: z.array(SelectorRule).optional(),
    })
    .optional(),
  graph: z
    .strictObject({
      edges: z.array(GraphEdge),
      /** Who speaks first. If left out: participants without incoming edges; if there are none, the first of the loop. */
      entry: oneOrMore.optional(),
    })
    .optional(),
  magentic: z
    .strictObject({
      /** The key of the orchestrator's model. */
      model: z.string().optional(),
      /** The number of rounds without progress after which a new plan is made, 3 if left out. */
      maxStalls: z.number().int().min(0).optional(),
      /** The prompt for the final answer, when the task is done. */
      finalAnswerPrompt: z.string().min(1).optional(),
    })
    .optional(),
});
export type TeamDefinition = z.infer<typeof TeamDefinition>;
