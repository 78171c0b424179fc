import * as z from "zod";
import { Condition } from "./condition.ts";
import { InterruptRule } from "./interrupt-rule.ts";

/** What a tool is, as the model is told it; `approval: ask` puts every call of it to the user first. */
export const ToolDeclaration = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "should be 1 to 64 letters, digits, _ or -"),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  approval: z.enum(["never", "ask"]).optional(),
  interrupt: z.literal(true).optional(),
  /** Its fate when an interrupt comes while it runs: `abort` (the default), `wait` for its end, or let it go on in the `background`. */
  onInterrupt: z.enum(["abort", "wait", "background"]).optional(),
  /** It changes nothing: a call of it that was cut short can have had no effects. */
  readOnly: z.literal(true).optional(),
});
export type ToolDeclaration = z.infer<typeof ToolDeclaration>;

const toolInput = z.record(z.string(), z.unknown());

/** One step of a practice participant: a line said, tool calls made, or both. */
export const PracticeLine = z.union([
  z.string(),
  z.strictObject({
    say: z.string().optional(),
    calls: z.array(z.strictObject({ tool: z.string(), input: toolInput.optional() })).optional(),
  }),
]);
export type PracticeLine = z.infer<typeof PracticeLine>;

const practiceScript = z.record(z.string(), z.array(PracticeLine));

/** The offline model that plays what the team file wrote for each participant, so that every flow can be tried with no key. */
export const PracticeModel = z.strictObject({
  provider: z.literal("practice"),
  /** Words a second; 0 plays without a pause. The default is a reading pace. */
  pace: z.number().min(0).max(1000).optional(),
  /** What each participant says and does in its turns, step by step. */
  lines: practiceScript.optional(),
  /** What each participant answers to a message that the user sent to it alone. */
  asked: practiceScript.optional(),
});
export type PracticeModel = z.infer<typeof PracticeModel>;

const httpUrl = z.url({ protocol: /^https?$/, error: "should be an http or https URL" });

/** What all models behind an endpoint have in common. */
const endpointFields = {
  apiKey: z.strictObject({ secret: z.string().min(1) }).optional(),
  api: z.enum(["chat", "responses"]).optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.number().int().positive().optional(),
  /** How long a reasoning model thinks, and whether its summary of that is told as thoughts. */
  reasoning: z
    .strictObject({
      effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]).optional(),
      summary: z.enum(["auto", "concise", "detailed"]).optional(),
    })
    .optional(),
  /** Put "NAME said:" before what others said, for models that do not read a message's `name` (AutoGen's option of that name). */
  addNamePrefixes: z.boolean().optional(),
  /** How often a failed request is tried again, 2 if left out. */
  maxRetries: z.number().int().min(0).max(10).optional(),
  /** How many tokens a request and its answer may have together; the size of a `tokenLimited` context that gives none. */
  contextWindow: z.number().int().positive().optional(),
  /** US dollars for a million tokens. With it, usage has its `cost`. */
  price: z
    .strictObject({
      prompt: z.number().min(0),
      completion: z.number().min(0),
      /** Of prompt tokens that the endpoint had in its cache; as `prompt` if left out. */
      cachedPrompt: z.number().min(0).optional(),
    })
    .optional(),
};

/** A model behind any OpenAI-compatible endpoint. With a `baseUrl` and no `apiKey` it is called without a key. */
export const OpenAiModel = z.strictObject({
  provider: z.literal("openai"),
  model: z.string().min(1),
  baseUrl: httpUrl.optional(),
  ...endpointFields,
});
export type OpenAiModel = z.infer<typeof OpenAiModel>;

/** A deployment of Azure OpenAI. */
export const AzureModel = z.strictObject({
  provider: z.literal("azure"),
  /** The resource, such as `https://NAME.openai.azure.com`. */
  endpoint: httpUrl,
  deployment: z.string().min(1),
  apiVersion: z.string().min(1).optional(),
  ...endpointFields,
});
export type AzureModel = z.infer<typeof AzureModel>;

export const ModelDefinition = z.discriminatedUnion("provider", [OpenAiModel, AzureModel, PracticeModel]);
export type ModelDefinition = z.infer<typeof ModelDefinition>;

/** What of its past a participant's model is shown; the names are AutoGen's model contexts. `size` counts messages, or tokens for `tokenLimited`. */
export const ContextDefinition = z.strictObject({
  kind: z.enum(["unbounded", "buffered", "headAndTail", "tokenLimited"]),
  size: z.number().int().positive().optional(),
  head: z.number().int().positive().optional(),
  tail: z.number().int().positive().optional(),
});
export type ContextDefinition = z.infer<typeof ContextDefinition>;

export const Capability = z.strictObject({
  kind: z.string(),
  to: z.union([z.string(), z.array(z.string())]).optional(),
});
export type Capability = z.infer<typeof Capability>;

const participantName = z
  .string()
  .regex(/^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u, "should be 1 to 64 letters, digits, _ or -, and start with a letter");

/** What a participant remembers beside the talk: texts and files that its model is always shown, and what it notes for itself. */
export const MemoryDefinition = z.strictObject({
  notes: z.array(z.string()).optional(),
  /** Files of the workspace, read anew at each of its turns. */
  files: z.array(z.string().min(1)).optional(),
  /** Gives it the tool `remember`, whose notes stay with the team, whatever its context drops. */
  keep: z.boolean().optional(),
});
export type MemoryDefinition = z.infer<typeof MemoryDefinition>;

/** Someone to hand over to: a name, or a name with what the model is told of it and what is said on the handoff. */
export const HandoffDefinition = z.union([
  z.string(),
  z.strictObject({ target: z.string(), description: z.string().optional(), message: z.string().optional() }),
]);
export type HandoffDefinition = z.infer<typeof HandoffDefinition>;

export const ParticipantKind = z.enum(["assistant", "user", "team", "societyOfMind"]);
export type ParticipantKind = z.infer<typeof ParticipantKind>;

const participantFields = {
  name: participantName,
  /**
   * `user` pauses the team until the user speaks. `team` is a nested team, whose last message is its answer; for
   * `societyOfMind` its model sums the nested team's talk up (AutoGen's SocietyOfMindAgent), told how by `instructions`.
   */
  kind: ParticipantKind.optional(),
  description: z.string().optional(),
  instructions: z.string().optional(),
  model: z.string().optional(),
  tools: z.array(z.union([z.string(), ToolDeclaration])).optional(),
  handoffs: z.array(HandoffDefinition).optional(),
  /** The answer is JSON of this schema, as a StructuredMessage. */
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
  /** How a call stands in a tool-call summary: text with {tool_name}, {arguments}, {result} and {is_error} (AutoGen). */
  toolCallSummaryFormat: z.string().min(1).optional(),
  capabilities: z.array(Capability).optional(),
  context: ContextDefinition.optional(),
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

/** Narrows who may speak next; the first rule that fits counts. With one name left, no model is asked. */
export const SelectorRule = z.strictObject({
  /** Who has spoken last; anyone if left out. */
  after: oneOrMore.optional(),
  /** A text in the last message. */
  mentions: z.string().min(1).optional(),
  choose: oneOrMore,
});
export type SelectorRule = z.infer<typeof SelectorRule>;

/**
 * When an edge is taken: a text in the message of whoever has spoken (AutoGen's string condition), or a text that is not in it,
 * or a regular expression.
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
  /** How the target waits for its edges: for `all` that can still come (the default), or for `any`, the first. */
  join: z.enum(["all", "any"]).optional(),
});
export type GraphEdge = z.infer<typeof GraphEdge>;

/** A team as its author writes it: who takes part, who speaks when, on which models, and when a run ends. */
export const TeamDefinition = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  kind: TeamKind,
  participants: z.array(ParticipantDefinition).min(1, "a team needs at least one participant"),
  models: z.record(z.string(), ModelDefinition).optional(),
  termination: Condition.optional(),
  maxTurns: z.number().int().min(1).optional(),
  /** Interrupts that come by themselves, in a run of this team or of those within it. */
  interrupts: z.array(InterruptRule).optional(),
  selector: z
    .strictObject({
      model: z.string().optional(),
      prompt: z.string().optional(),
      allowRepeats: z.boolean().optional(),
      /** How often the model is asked before the previous speaker goes on, 3 if left out. */
      maxAttempts: z.number().int().min(1).max(10).optional(),
      rules: z.array(SelectorRule).optional(),
    })
    .optional(),
  graph: z
    .strictObject({
      edges: z.array(GraphEdge),
      /** Who begins; if left out, those whom no edge leads to, and of a loop that no edge leads into, the first in the team. */
      entry: oneOrMore.optional(),
    })
    .optional(),
  magentic: z
    .strictObject({
      /** The orchestrator's model, by its key. */
      model: z.string().optional(),
      /** After how many rounds without progress a new plan is made, 3 if left out. */
      maxStalls: z.number().int().min(0).optional(),
      /** What the orchestrator is asked for when the task is done. */
      finalAnswerPrompt: z.string().min(1).optional(),
    })
    .optional(),
});
export type TeamDefinition = z.infer<typeof TeamDefinition>;
