import * as z from "zod";

/**
 * When a run ends: AutoGen AgentChat's termination conditions, one key per object, nested with `any` and `all`.
 * Times are in seconds, usage in tokens.
 */
const leaves = {
  maxMessages: z.number().int().min(1),
  textMention: z.strictObject({ text: z.string().min(1), sources: z.array(z.string()).optional() }),
  stopMessage: z.literal(true),
  tokenUsage: z
    .strictObject({
      total: z.number().int().positive().optional(),
      prompt: z.number().int().positive().optional(),
      completion: z.number().int().positive().optional(),
    })
    .refine((limits) => Object.values(limits).some((limit) => limit !== undefined), {
      message: "tokenUsage needs at least one of total, prompt, completion",
    }),
  handoff: z.strictObject({ target: z.string() }),
  timeout: z.strictObject({ seconds: z.number().positive() }),
  external: z.literal(true),
  sourceMatch: z.strictObject({ sources: z.array(z.string()).min(1) }),
  textMessage: z.strictObject({ source: z.string().optional() }),
  functionCall: z.strictObject({ name: z.string() }),
  budget: z
    .strictObject({
      tokens: z.number().int().positive().optional(),
      seconds: z.number().positive().optional(),
      turns: z.number().int().positive().optional(),
      cost: z.number().positive().optional(),
    })
    .refine((limits) => Object.values(limits).some((limit) => limit !== undefined), {
      message: "budget needs at least one of tokens, seconds, turns, cost",
    }),
};

/** The settings of each kind of condition, by its key. */
export interface ConditionSettings {
  readonly maxMessages: number;
  readonly textMention: { readonly text: string; readonly sources?: readonly string[] | undefined };
  readonly stopMessage: true;
  readonly tokenUsage: {
    readonly total?: number | undefined;
    readonly prompt?: number | undefined;
    readonly completion?: number | undefined;
  };
  readonly handoff: { readonly target: string };
  readonly timeout: { readonly seconds: number };
  readonly external: true;
  readonly sourceMatch: { readonly sources: readonly string[] };
  readonly textMessage: { readonly source?: string | undefined };
  readonly functionCall: { readonly name: string };
  /**
   * Pauses the run when one of its amounts is used up, and grants them again when the user continues. `cost` is in US
   * dollars.
   */
  readonly budget: {
    readonly tokens?: number | undefined;
    readonly seconds?: number | undefined;
    readonly turns?: number | undefined;
    readonly cost?: number | undefined;
  };
  readonly any: readonly Condition[];
  readonly all: readonly Condition[];
}

export type ConditionKind = keyof ConditionSettings;

/** Exactly one key of {@link ConditionSettings}. */
export type Condition = { readonly [K in ConditionKind]?: ConditionSettings[K] | undefined };

export const CONDITION_KINDS = [...Object.keys(leaves), "any", "all"] as readonly ConditionKind[];

export const Condition: z.ZodType<Condition> = z.lazy(() =>
  z
    .strictObject({
      ...Object.fromEntries(Object.entries(leaves).map(([kind, settings]) => [kind, settings.optional()])),
      any: z.array(Condition).min(1).optional(),
      all: z.array(Condition).min(1).optional(),
    })
    .refine((condition) => Object.keys(condition).length === 1, {
      message: `a condition has exactly one of ${CONDITION_KINDS.join(", ")}`,
    }),
) as z.ZodType<Condition>;
