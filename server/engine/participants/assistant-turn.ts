import { COMMAND_OUTPUT } from "../../../shared/command-tools.ts";
import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { CallOutcome, RequestedCall } from "../calls/call-outcome.ts";
import { unlessAborted } from "../cancellation/unless-aborted.ts";
import type { Reply } from "../context/reply.ts";
import { structuredReply } from "../context/structured-message.ts";
import type { AnsweredCall, ToolStep } from "../context/tool-step.ts";
import type { Model, ToolSpec } from "../model.ts";
import type { BuiltInTools } from "./built-in-tools.ts";
import { commandsText } from "./commands-text.ts";
import type { HandoffTools } from "./handoff-tools.ts";
import type { LaterTools } from "./later-tools.ts";
import { instructionsWithMemory, type Memory } from "./memory.ts";
import type { ModelAnswer } from "./model-answer.ts";
import { ModelConversation, type ModelStep } from "./model-conversation.ts";
import type { Turn, TurnOutcome } from "./participant.ts";
import type { PlanTool } from "./plan-tool.ts";
import type { StructuredOutput } from "./structured-output.ts";
import { toolSummary } from "./tool-summary.ts";

/** What an assistant needs for its turns. */
export interface AssistantTurnOptions {
  readonly name: string;
  readonly instructions: string;
  readonly model: Model;
  /** All tools that its model is offered, including the built-in ones. */
  readonly tools: readonly ToolSpec[];
  readonly laterTools?: LaterTools | undefined;
  readonly builtInTools: readonly BuiltInTools[];
  readonly handoffs: HandoffTools;
  readonly output: StructuredOutput | undefined;
  readonly memory?: Memory | undefined;
  readonly keepsNotes?: boolean | undefined;
  readonly planTool?: PlanTool | undefined;
  readonly context?: ContextDefinition | undefined;
  readonly window?: number | undefined;
  readonly maxToolIterations: number;
  readonly reflectOnToolUse?: boolean | undefined;
  readonly toolCallSummaryFormat?: string | undefined;
}

const INTERRUPTED: TurnOutcome = { kind: "interrupted" };

/**
 * One turn of an assistant. A turn that continues after its calls were answered keeps its steps, which count toward its
 * iterations. A handoff that was made before an interrupt is completed without asking the model again.
 */
export class AssistantTurn {
  readonly #turn: Turn;
  readonly #options: AssistantTurnOptions;
  readonly #steps: ToolStep[];
  #invalidAnswers = 0;

  constructor(turn: Turn, options: AssistantTurnOptions) {
    this.#turn = turn;
    this.#options = options;
    this.#steps = [...turn.steps];
  }

  async take(): Promise<TurnOutcome> {
    const reply = this.#replyFromSteps();
    if (reply !== undefined) return replied(reply);
    const { laterTools } = this.#options;
    if (laterTools !== undefined) await laterTools.ready(AbortSignal.any([this.#turn.signal, this.#turn.soft]));
    const instructions = await this.#instructions();
    const { output, ...options } = this.#options;
    const conversation = new ModelConversation(this.#turn, { ...options, instructions, output: output?.format });
    while (!this.#isStopping()) {
      const isLast = this.#hasUsedIterations();
      const tools = isLast ? [] : this.#tools();
      const fits = conversation.fit(tools);
      if (!(fits instanceof Promise ? await fits : fits)) return INTERRUPTED;
      const step = await conversation.askModel(tools);
      if (step === undefined) return INTERRUPTED;
      const isFinal = isLast || step.answer.calls.length === 0;
      const outcome = isFinal ? this.#reply(step, conversation) : await this.#runCalls(step.answer, conversation);
      if (outcome !== undefined) return outcome;
    }
    return INTERRUPTED;
  }

  #tools(): readonly ToolSpec[] {
    const { tools, laterTools } = this.#options;
    return laterTools === undefined ? tools : [...tools, ...laterTools.specs()];
  }

  /** True when no further model request may start. */
  #isStopping(): boolean {
    return this.#turn.signal.aborted || this.#turn.soft.aborted;
  }

  /**
   * The reply that the steps of the turn lead to: a handoff, or a summary of tool results instead of a final answer of the
   * model.
   */
  #replyFromSteps(): Reply | undefined {
    const { handoffs, reflectOnToolUse, output, toolCallSummaryFormat } = this.#options;
    const handoff = handoffs.replyAfter(this.#steps);
    if (handoff !== undefined) return handoff;
    const last = this.#steps.at(-1);
    if (last === undefined || !this.#hasUsedIterations() || reflectOnToolUse || output !== undefined) return undefined;
    return toolSummary(last, toolCallSummaryFormat);
  }

  #hasUsedIterations(): boolean {
    return this.#steps.filter(({ earlier }) => !earlier).length >= this.#options.maxToolIterations;
  }

  /** The model's answer as the participant's message; undefined when the model must be asked again. */
  #reply({ answer, messageId }: ModelStep, conversation: ModelConversation): TurnOutcome | undefined {
    const { name, output } = this.#options;
    const { text, usage } = answer;
    const cost = usage === undefined ? {} : { usage };
    if (output === undefined) {
      return replied({
        type: "TextMessage",
        content: text,
        ...(messageId === undefined ? {} : { id: messageId }),
        ...cost,
        ...conversation.written,
      });
    }
    const parsed = output.parse(text);
    if ("value" in parsed) return replied({ ...structuredReply(parsed.value, usage), ...conversation.written });
    this.#turn.emit({ type: "model/asked", by: name, purpose: "output", ...cost });
    this.#invalidAnswers += 1;
    conversation.addCorrection(text, output.correction(name, parsed.problem, this.#invalidAnswers));
    return undefined;
  }

  /** Runs the calls of an answer; undefined when the model is to see their results. */
  async #runCalls(answer: ModelAnswer, conversation: ModelConversation): Promise<TurnOutcome | undefined> {
    const calls = await this.#turn.requestCalls(answer);
    if (calls === undefined) return INTERRUPTED;
    const { builtInTools } = this.#options;
    const others = calls.filter(({ name }) => !builtInTools.some((tools) => tools.owns(name)));
    const outcomes = others.length === 0 ? [] : await this.#turn.runCalls(others);
    if (this.#turn.signal.aborted || outcomes.some(({ kind }) => kind === "interrupted")) return INTERRUPTED;
    const builtIn = builtInTools.flatMap((tools) => this.#answerBuiltIn(tools, calls));
    if (outcomes.some(({ kind }) => kind === "pending")) return { kind: "awaitingTools" };
    const step = { content: answer.text, calls: answeredCalls(calls, outcomes, builtIn) };
    this.#steps.push(step);
    conversation.addStep(step);
    const end = this.#replyFromSteps();
    return end === undefined ? undefined : replied({ ...end, ...conversation.written });
  }

  #answerBuiltIn(tools: BuiltInTools, calls: readonly RequestedCall[]): AnsweredCall[] {
    const answered = tools.answer(
      calls.filter(({ name }) => tools.owns(name)),
      this.#turn,
    );
    for (const { ref, name, output, isError } of answered) {
      this.#turn.emit({ type: "tool/executed", participant: this.#options.name, ref, name, output, isError });
    }
    return answered;
  }

  /** The instructions with the participant's memory. An interrupt does not wait for a slow memory. */
  async #instructions(): Promise<string> {
    const { instructions, memory, keepsNotes, planTool } = this.#options;
    const recalled = memory === undefined ? [] : await this.#recall(memory);
    const remembered = instructionsWithMemory(instructions, recalled, keepsNotes ? this.#turn.notes : []);
    const plan = planTool?.shownIn(this.#turn) ?? "";
    const hasCommands = this.#options.tools.some(({ name }) => name === COMMAND_OUTPUT);
    const commands = hasCommands ? commandsText(this.#turn.commands ?? []) : "";
    return [remembered, plan, commands].filter((part) => part !== "").join("\n\n");
  }

  async #recall(memory: Memory): Promise<readonly string[]> {
    const { signal, soft } = this.#turn;
    return (await unlessAborted(memory.recall(this.#turn), AbortSignal.any([signal, soft]))) ?? [];
  }
}

const replied = (reply: Reply): TurnOutcome => ({ kind: "reply", reply });

function answeredCalls(
  calls: readonly RequestedCall[],
  outcomes: readonly CallOutcome[],
  builtIn: readonly AnsweredCall[],
): AnsweredCall[] {
  const results = new Map<string, Pick<AnsweredCall, "output" | "isError">>();
  for (const call of builtIn) results.set(call.ref, call);
  for (const outcome of outcomes) if (outcome.kind === "done") results.set(outcome.ref, outcome);
  return calls.flatMap(({ malformed, ...call }) => {
    const result = results.get(call.ref);
    return result === undefined ? [] : [{ ...call, output: result.output, isError: result.isError }];
  });
}
