import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { Model, ModelRequest, ToolSpec } from "../model.ts";
import { AssistantTurn } from "./assistant-turn.ts";
import type { BuiltInTools } from "./built-in-tools.ts";
import { type Handoff, HandoffTools } from "./handoff-tools.ts";
import type { LaterTools } from "./later-tools.ts";
import type { Memory } from "./memory.ts";
import type { Participant, Turn, TurnOutcome } from "./participant.ts";
import { PlanTool } from "./plan-tool.ts";
import { RememberTool } from "./remember-tool.ts";
import { StructuredOutput } from "./structured-output.ts";

/** The maximum number of model responses with tool calls per turn, by default. */
const DEFAULT_TOOL_ITERATIONS = 10;

export interface AssistantOptions {
  readonly name: string;
  readonly instructions: string;
  /** The model that it has now: that of its next turn. */
  readonly model: () => Model;
  readonly tools: readonly ToolSpec[];
  readonly laterTools?: LaterTools | undefined;
  /** The participants that it can hand off to. */
  readonly handoffs?: readonly Handoff[] | undefined;
  /** The JSON Schema of its answers. */
  readonly output?: ModelRequest["output"];
  readonly memory?: Memory | undefined;
  /** Gives it the tool `remember`, and shows it its notes. */
  readonly keepsNotes?: boolean | undefined;
  /** Gives it the tool `todo`, and shows it its plan. */
  readonly keepsPlan?: boolean | undefined;
  /** Tools of its capabilities: to interrupt the team, or the reasoning of other participants. */
  readonly watchTools?: readonly BuiltInTools[] | undefined;
  readonly context?: ContextDefinition | undefined;
  /** The maximum size of a request in tokens, for a token-limited context without a size. */
  readonly window?: (() => number | undefined) | undefined;
  readonly maxToolIterations?: number | undefined;
  /** Asks the model for a final answer when the iterations are used up, instead of a summary of the tools' results. */
  readonly reflectOnToolUse?: boolean | undefined;
  /** See {@link toolSummary}. */
  readonly toolCallSummaryFormat?: string | undefined;
}

/**
 * A participant that uses a model (AutoGen's AssistantAgent). It asks the model, runs all requested tools in parallel, shows
 * the model their results, and repeats this until the model answers, hands off, or reaches `maxToolIterations`.
 */
export class Assistant implements Participant {
  readonly name: string;
  readonly #options: AssistantOptions;
  readonly #handoffs: HandoffTools;
  readonly #planTool: PlanTool | undefined;
  readonly #builtInTools: readonly BuiltInTools[];
  readonly #tools: readonly ToolSpec[];
  readonly #output: StructuredOutput | undefined;

  constructor(options: AssistantOptions) {
    this.name = options.name;
    this.#options = options;
    this.#handoffs = new HandoffTools(options.handoffs ?? []);
    const { name, keepsNotes, keepsPlan, watchTools = [] } = options;
    this.#planTool = keepsPlan ? new PlanTool(name) : undefined;
    this.#builtInTools = [
      this.#handoffs,
      ...(keepsNotes ? [new RememberTool(name)] : []),
      ...(this.#planTool === undefined ? [] : [this.#planTool]),
      ...watchTools,
    ];
    this.#tools = [...options.tools, ...this.#builtInTools.flatMap(({ specs }) => specs)];
    this.#output = options.output && new StructuredOutput(options.output);
  }

  takeTurn(turn: Turn): Promise<TurnOutcome> {
    const { maxToolIterations = DEFAULT_TOOL_ITERATIONS, model, window, ...options } = this.#options;
    return new AssistantTurn(turn, {
      ...options,
      model: model(),
      window: window?.(),
      maxToolIterations,
      tools: this.#tools,
      handoffs: this.#handoffs,
      planTool: this.#planTool,
      builtInTools: this.#builtInTools,
      output: this.#output,
    }).take();
  }
}
