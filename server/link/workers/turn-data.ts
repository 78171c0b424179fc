import * as z from "zod";
import { BackgroundCommand } from "../../../shared/contract/background-command.ts";
import { ContextState, ContextSummary, SummaryEnd } from "../../../shared/contract/context.ts";
import { ContextDefinition, HandoffDefinition } from "../../../shared/contract/definition.ts";
import { ChatMessage, ContentPart, Usage } from "../../../shared/contract/message.ts";
import { Plan } from "../../../shared/contract/plan.ts";
import { ToolCall } from "../../../shared/contract/team.ts";
import type { ContextItem, ModelCall, ModelPart, ModelRequest, ToolSpec, ToolStep } from "../../engine/index.ts";

const json = z.record(z.string(), z.unknown());

export const ContextItems = z.array(
  z.discriminatedUnion("role", [
    z.object({
      role: z.literal("user"),
      source: z.string(),
      content: z.union([z.string(), z.array(ContentPart)]),
      directedTo: z.string().optional(),
    }),
    z.object({
      role: z.literal("assistant"),
      content: z.string(),
      calls: z.array(ToolCall),
      partial: z.literal(true).optional(),
    }),
    z.object({
      role: z.literal("tool"),
      ref: z.string(),
      name: z.string(),
      output: z.unknown().optional(),
      isError: z.boolean(),
    }),
  ]),
) as unknown as z.ZodType<readonly ContextItem[]>;

const AnswerProgress = z.object({ answers: z.number(), partialText: z.string() });
const ModelProgress = z.object({
  conversation: AnswerProgress,
  directed: AnswerProgress,
  isDirected: z.boolean(),
  interruptedAfter: z.number(),
});

const ToolSteps = z.array(
  z.object({
    content: z.string(),
    calls: z.array(ToolCall.extend({ output: z.unknown().optional(), isError: z.boolean() })),
    earlier: z.literal(true).optional(),
  }),
) as unknown as z.ZodType<readonly ToolStep[]>;

/** What of a participant is the team's matter, wherever it runs. */
const TeamSettings = z.object({
  description: z.string().optional(),
  instructions: z.string().optional(),
  handoffs: z.array(HandoffDefinition).optional(),
  output: z.object({ name: z.string().optional(), schema: json }).optional(),
  maxToolIterations: z.number().int().min(1).optional(),
  reflectOnToolUse: z.boolean().optional(),
  toolCallSummaryFormat: z.string().optional(),
  context: ContextDefinition.optional(),
});

/** One turn, as a host sends it to the worker with its participant. */
export const TurnData = z.object({
  /** The name of the participant at the worker. */
  participant: z.string(),
  /** What the team calls it. */
  name: z.string(),
  /** Where the worker reports to: the node of the host, and the first part of the addresses for this turn. */
  host: z.object({ node: z.string(), turn: z.string() }),
  team: z.object({
    id: z.string(),
    name: z.string(),
    participants: z.array(z.object({ name: z.string(), description: z.string().optional() })),
  }),
  settings: TeamSettings,
  turnId: z.string(),
  earlier: ContextItems,
  items: ContextItems,
  steps: ToolSteps,
  progress: ModelProgress,
  notes: z.array(z.string()),
  plan: Plan.optional(),
  commands: z.array(BackgroundCommand).optional(),
  context: ContextState.optional(),
});
export type TurnData = z.infer<typeof TurnData>;

const ModelCallData = z.object({
  id: z.string().optional(),
  name: z.string(),
  arguments: z.string(),
  signedThoughts: z.string().optional(),
}) satisfies z.ZodType<ModelCall>;

export const RequestingAnswerData = z.object({
  text: z.string(),
  calls: z.array(ModelCallData),
  usage: Usage.optional(),
});

/** Which calls to run, by ref: the host knows what was recorded of them, and runs that. */
export const CallsToRun = z.object({ refs: z.array(z.string()) });

export const CallOutcomes = z.array(
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("done"), ref: z.string(), output: z.unknown().optional(), isError: z.boolean() }),
    z.object({ kind: z.literal("pending"), ref: z.string() }),
    z.object({ kind: z.literal("interrupted"), ref: z.string() }),
  ]),
);

export const RequestedCalls = z.array(
  z.object({
    ref: z.string(),
    id: z.string().optional(),
    name: z.string(),
    input: z.unknown().optional(),
    signedThoughts: z.string().optional(),
    malformed: z.string().optional(),
  }),
);

export const PartSizesData = z.object({ kept: z.number(), atMost: z.number() });
export const OlderPartData = z.object({ items: ContextItems, through: SummaryEnd });
export const SummaryData = ContextSummary.extend({ tokens: z.object({ before: z.number(), after: z.number() }) });

/** How a turn at a worker ends. */
export const TurnOutcomeData = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("reply"),
    reply: ChatMessage.pick({ type: true, content: true, usage: true, model: true, metadata: true }).extend({
      id: z.string().optional(),
    }),
  }),
  z.object({ kind: z.literal("awaitingTools") }),
  z.object({ kind: z.literal("interrupted") }),
]);

/** A call of a tool at a worker. */
export const ToolCallData = z.object({
  tool: z.string(),
  input: z.unknown().optional(),
  teamId: z.string(),
  participant: z.string(),
  ref: z.string(),
  metadata: json,
  /** The topic for its output, and the node with it. */
  output: z.object({ node: z.string(), id: z.string() }).optional(),
});

const ToolSpecData = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: json,
}) satisfies z.ZodType<ToolSpec>;

/** A request to a model at a worker. Its parts go to `parts`. */
export const ModelRequestData = z.object({
  model: z.string(),
  request: z.object({
    participant: z.string(),
    instructions: z.string(),
    items: ContextItems,
    tools: z.array(ToolSpecData),
    output: z.object({ name: z.string(), schema: json }).optional(),
    progress: ModelProgress.optional(),
  }) satisfies z.ZodType<ModelRequest>,
  longestWaitMs: z.number().optional(),
  parts: z.object({ node: z.string(), id: z.string() }),
});

const Retry = z.object({
  attempt: z.number(),
  waitMs: z.number(),
  reason: z.string(),
  status: z.number().optional(),
});

/** A part of an answer, or what its request meets. */
export const ModelNews = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), delta: z.string() }),
  z.object({ type: z.literal("thought"), delta: z.string() }),
  z.object({ type: z.literal("calls"), calls: z.array(ModelCallData) }),
  z.object({ type: z.literal("usage"), usage: Usage }),
  z.object({ type: z.literal("retry"), retry: Retry }),
  z.object({
    type: z.literal("wait"),
    wait: z.object({ endpoint: z.string(), until: z.number().optional() }).optional(),
  }),
]);
export type ModelNews = z.infer<typeof ModelNews>;

/** Those of them that the model of an assistant streams. */
export const isPart = (news: ModelNews): news is ModelPart & ModelNews => news.type !== "retry" && news.type !== "wait";
