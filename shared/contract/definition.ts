import * as z from "zod";
import { Condition } from "./condition.ts";

/** What a tool is, as the model is told it; `approval: ask` puts every call of it to the user first. */
export const ToolDeclaration = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "a tool's name is 1 to 64 letters, digits, _ or -"),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  approval: z.enum(["never", "ask"]).optional(),
  interrupt: z.literal(true).optional(),
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

/** A model behind any OpenAI-compatible endpoint. With a `baseUrl` and no `apiKey` it is called without a key. */
export const OpenAiModel = z.strictObject({
  provider: z.literal("openai"),
  model: z.string().min(1),
  baseUrl: z.url({ protocol: /^https?$/, error: "baseUrl is an http or https address" }).optional(),
  apiKey: z.strictObject({ secret: z.string().min(1) }).optional(),
  api: z.enum(["chat", "responses"]).optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.number().int().positive().optional(),
  /** Put "NAME said:" before what others said, for models that do not read a message's `name` (AutoGen's option of that name). */
  addNamePrefixes: z.boolean().optional(),
  /** How often a failed request is tried again, 2 if left out. */
  maxRetries: z.number().int().min(0).max(10).optional(),
});
export type OpenAiModel = z.infer<typeof OpenAiModel>;

export const ModelDefinition = z.discriminatedUnion("provider", [OpenAiModel, PracticeModel]);
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
  .regex(
    /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u,
    "a participant's name is 1 to 64 letters, digits, _ or -, and begins with a letter",
  );

const participantFields = {
  name: participantName,
  kind: z.enum(["assistant", "user", "team"]).optional(),
  description: z.string().optional(),
  instructions: z.string().optional(),
  model: z.string().optional(),
  tools: z.array(z.union([z.string(), ToolDeclaration])).optional(),
  handoffs: z.array(z.string()).optional(),
  maxToolIterations: z.number().int().min(1).optional(),
  reflectOnToolUse: z.boolean().optional(),
  capabilities: z.array(Capability).optional(),
  context: ContextDefinition.optional(),
};

export type ParticipantKind = "assistant" | "user" | "team";

export type ParticipantDefinition = z.infer<z.ZodObject<typeof participantFields>> & {
  readonly team?: TeamDefinition | undefined;
};

export const ParticipantDefinition: z.ZodType<ParticipantDefinition> = z.lazy(() =>
  z.strictObject({ ...participantFields, team: TeamDefinition.optional() }),
) as z.ZodType<ParticipantDefinition>;

export const TeamKind = z.enum(["roundRobin", "selector", "swarm", "graph", "magentic"]);
export type TeamKind = z.infer<typeof TeamKind>;

/** A team as its author writes it: who takes part, who speaks when, on which models, and when a run ends. */
export const TeamDefinition = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  kind: TeamKind,
  participants: z.array(ParticipantDefinition).min(1, "a team needs at least one participant"),
  models: z.record(z.string(), ModelDefinition).optional(),
  termination: Condition.optional(),
  maxTurns: z.number().int().min(1).optional(),
  selector: z
    .strictObject({
      model: z.string().optional(),
      prompt: z.string().optional(),
      allowRepeats: z.boolean().optional(),
    })
    .optional(),
  graph: z
    .strictObject({
      edges: z.array(
        z.strictObject({
          from: z.string(),
          to: z.string(),
          when: z.string().optional(),
          join: z.enum(["all", "any"]).optional(),
        }),
      ),
    })
    .optional(),
});
export type TeamDefinition = z.infer<typeof TeamDefinition>;
