import type { Approved } from "../../../shared/contract/approval.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { EventDraft } from "../../../shared/contract/event.ts";
import { type ApprovalOutcome, type CallToApprove, declaredOutcome } from "../approvals/evaluate-call.ts";
import { type Tool, ToolInterrupt } from "../tool.ts";
import type { CallOutcome, RequestedCall } from "./call-outcome.ts";

/** A call to execute. `resumed` is set when the user restarted the call after it was pending. */
export interface ExecutableCall extends RequestedCall {
  readonly resumed?: { readonly metadata: Readonly<Record<string, unknown>> };
}

export interface ToolExecutorOptions {
  readonly teamId: string;
  readonly participant: string;
  readonly tools: readonly Tool[];
  /** Decides from the user's approval rules; defaults to the tools' declarations. If it throws, the call is denied. */
  readonly approve?: ((call: CallToApprove) => ApprovalOutcome) | undefined;
  readonly emit: (draft: EventDraft) => void;
}

/** The result of an interrupted call. */
export const INTERRUPTED_CALL_RESULT = "The user interrupted this call before it ended.";

/** Runs one participant's tool calls: validates them, asks the user where approval is needed, and emits each result. */
export class ToolExecutor {
  readonly #options: ToolExecutorOptions;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #executing = new Set<string>();

  constructor(options: ToolExecutorOptions) {
    this.#options = options;
    this.#tools = new Map(options.tools.map((tool) => [tool.declaration.name, tool]));
  }

  /** True while the tool of that call runs, also after the call was abandoned. */
  isExecuting(ref: string): boolean {
    return this.#executing.has(ref);
  }

  /** What an interrupt of the turn does to a call of that tool: the declaration's `onInterrupt`. */
  interruptBehavior(name: string): "abort" | "wait" | "background" {
    return this.#tools.get(name)?.declaration.onInterrupt ?? "abort";
  }

  /** True for a tool that declares that it changes nothing. */
  isReadOnly(name: string): boolean {
    return this.#tools.get(name)?.declaration.readOnly === true;
  }

  /** What is wrong with an input of that tool, or undefined if it is valid or the tool is unknown. */
  inputProblem(name: string, input: unknown): string | undefined {
    const tool = this.#tools.get(name);
    return tool && inputProblem(tool, input);
  }

  /** What a call of that tool would do, as the tool itself describes it; null if it offers no preview. */
  async preview(name: string, input: unknown): Promise<unknown> {
    return (await this.#tools.get(name)?.preview?.(input)) ?? null;
  }

  /** Gives a cancelled call its result when its tool does not stop. The tool's own late result is then ignored. */
  abandon(call: ExecutableCall): CallOutcome {
    return this.#interrupted(call, new Error("The tool did not stop and may still be running."));
  }

  /** Runs one call, or makes it pending for the user. Never throws: what a tool throws becomes the call's error result. */
  async run(call: ExecutableCall, signal: AbortSignal): Promise<CallOutcome> {
    const tool = this.#tools.get(call.name);
    if (tool === undefined) return this.#executed(call, this.#unknown(call.name), true);
    const problem = call.malformed ?? inputProblem(tool, call.input);
    if (problem !== undefined) return this.#executed(call, problem, true);
    // A restarted call is approved already.
    if (call.resumed !== undefined) return this.#execute(tool, call, signal);
    const approval = this.#evaluate(tool, call.input);
    if (approval.decision === "deny") return this.#executed(call, `${approval.reason} The tool was not run.`, true);
    if (approval.decision === "ask") return this.#pending(call, { approval: true });
    if (tool.declaration.interrupt) return this.#pending(call, { interrupt: true });
    return this.#execute(tool, call, signal, approvedBy(approval));
  }

  #evaluate({ declaration }: Tool, input: unknown): ApprovalOutcome {
    const { approve, teamId, participant } = this.#options;
    try {
      return approve?.({ tool: declaration, participant, input, teamId }) ?? declaredOutcome(declaration);
    } catch (error) {
      const reason = `The approval rules cannot be applied, so this call is denied: ${messageOf(error)}`;
      return { decision: "deny", rules: [], byRule: true, reason };
    }
  }

  async #execute(tool: Tool, call: ExecutableCall, signal: AbortSignal, approved?: Approved): Promise<CallOutcome> {
    const { teamId, participant, emit } = this.#options;
    const { ref } = call;
    emit({ type: "tool/started", ref, ...(approved === undefined ? {} : { approved }) });
    if (signal.aborted) return this.#interrupted(call);
    this.#executing.add(ref);
    try {
      const output = await tool.run(call.input, {
        teamId,
        participant,
        ref,
        signal,
        metadata: call.resumed === undefined ? {} : { ...call.resumed.metadata, resumed: true },
        output: (delta) => emit({ type: "tool/output", ref, delta }),
      });
      return this.#executed(call, output ?? null, false);
    } catch (error) {
      if (error instanceof ToolInterrupt && !signal.aborted) {
        return this.#pending(call, { interrupt: error.data ?? true });
      }
      if (signal.aborted) return this.#interrupted(call, error);
      return this.#executed(call, messageOf(error), true);
    } finally {
      this.#executing.delete(ref);
    }
  }

  #executed(call: ExecutableCall, output: unknown, isError: boolean): CallOutcome {
    const { ref, name } = call;
    this.#options.emit({
      type: "tool/executed",
      ref,
      name,
      participant: this.#options.participant,
      output,
      isError,
    });
    return { kind: "done", ref, output, isError };
  }

  #interrupted(call: ExecutableCall, error?: unknown): CallOutcome {
    const { ref, name } = call;
    const { participant, emit } = this.#options;
    // A tool may report what it did before it was interrupted; a bare AbortError reports nothing.
    const report = error instanceof Error && error.name !== "AbortError" ? `\n${error.message}` : "";
    const output = `${INTERRUPTED_CALL_RESULT}${report}`;
    emit({ type: "tool/executed", ref, name, participant, output, isError: true, interrupted: true });
    return { kind: "interrupted", ref };
  }

  #pending(call: ExecutableCall, why: { readonly approval?: true; readonly interrupt?: unknown }): CallOutcome {
    const { ref, name, input } = call;
    this.#options.emit({ type: "tool/interrupted", ref, name, participant: this.#options.participant, input, ...why });
    return { kind: "pending", ref };
  }

  #unknown(name: string): string {
    const names = [...this.#tools.keys()];
    return `There is no tool "${name}"; the tools are ${names.length === 0 ? "none" : names.join(", ")}.`;
  }
}

/** Why a call runs without asking the user: the rule that allows it. A tool that never asks needs no reason. */
function approvedBy({ byRule, rules, reason }: ApprovalOutcome): Approved | undefined {
  const [rule] = rules;
  return byRule ? { ...(rule === undefined ? {} : { rule: rule.id }), reason } : undefined;
}

/** What is wrong with an input. A check that throws rejects the input. */
function inputProblem(tool: Tool, input: unknown): string | undefined {
  try {
    return tool.check?.(input);
  } catch (error) {
    return messageOf(error);
  }
}
