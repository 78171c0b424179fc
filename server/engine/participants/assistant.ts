import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { Model, ModelRequest, ToolSpec } from "../model.ts";
import { AssistantTurn } from "./assistant-turn.ts";
import type { BuiltInTools } from "./built-in-tools.ts";
import { type Handoff, HandoffTools } from "./handoff-tools.ts";
import type { Memory } from "./memory.ts";
import type { Participant, Turn, TurnOutcome } from "./participant.ts";
import { RememberTool } from "./remember-tool.ts";
import { StructuredOutput } from "./structured-output.ts";

/** How many times in one turn an assistant may go from its model to its tools, when its definition does not say. */
const DEFAULT_TOOL_ITERATIONS = 10;

export interface AssistantOptions {
  readonly name: string;
  readonly instructions: string;
  readonly model: Model;
  readonly tools: readonly ToolSpec[];
  /** Whom it can hand over to. */
  readonly handoffs?: readonly Handoff[] | undefined;
  /** Its answers are JSON of this schema. */
  readonly output?: ModelRequest["output"];
  readonly memory?: Memory | undefined;
  /** Gives it the tool `remember`, and shows it what it has noted. */
  readonly keepsNotes?: boolean | undefined;
  /** Tools that it is given by its capabilities: to interrupt the team, or the reasoning of others. */
  readonly watchTools?: readonly BuiltInTools[] | undefined;
  readonly context?: ContextDefinition | undefined;
  /** How many tokens a request may have, for a token-limited context that gives no size of its own. */
  readonly window?: number | undefined;
  readonly maxToolIterations?: number | undefined;
  /** Ask the model for a last word when the iterations are used up, in place of a summary of the tools' results. */
  readonly reflectOnToolUse?: boolean | undefined;
  /** See {@link toolSummary}. */
  readonly toolCallSummaryFormat?: string | undefined;
}

/**
 * A participant that speaks through a model (AutoGen's AssistantAgent): it asks the model, runs the tools the answer asks
 * for, all at once, shows the model their results, and so on until the model speaks, hands over, or `maxToolIterations` is
 * reached.
 */
export class Assistant implements Participant {
  readonly name: string;
  readonly #options: AssistantOptions;
  readonly #handoffs: HandoffTools;
  readonly #ownTools: readonly BuiltInTools[];
  readonly #tools: readonly ToolSpec[];
  readonly #output: StructuredOutput | undefined;

  constructor(options: AssistantOptions) {
    this.name = options.name;
    this.#options = options;
    this.#handoffs = new HandoffTools(options.handoffs ?? []);
    const { name, keepsNotes, watchTools = [] } = options;
    this.#ownTools = [this.#handoffs, ...(keepsNotes ? [new RememberTool(name)] : []), ...watchTools];
    this.#tools = [...options.tools, ...this.#ownTools.flatMap(({ specs }) => specs)];
    this.#output = options.output && new StructuredOutput(options.output);
  }

  takeTurn(turn: Turn): Promise<TurnOutcome> {
    const { maxToolIterations = DEFAULT_TOOL_ITERATIONS, ...options } = this.#options;
    return new AssistantTurn(turn, {
      ...options,
      maxToolIterations,
      tools: this.#tools,
      handoffs: this.#handoffs,
      builtInTools: this.#ownTools,
      output: this.#output,
    }).take();
  }
}
