import type { Approved } from "../../../shared/contract/approval.ts";
import type { CommandExit } from "../../../shared/contract/command-exit.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { EventDraft } from "../../../shared/contract/event.ts";
import type { PendingTool } from "../../../shared/contract/team.ts";
import { LIMITS } from "../../../shared/limits.ts";
import { reviewInterrupt, type WaitingResult } from "../../../shared/reviewed-result.ts";
import { sizeProblem } from "../../../shared/size-problem.ts";
import { type ApprovalOutcome, type CallToApprove, declaredOutcome } from "../approvals/evaluate-call.ts";
import { unlessAborted } from "../cancellation/unless-aborted.ts";
import { type CallEffects, type Tool, ToolInterrupt, type ToolSource } from "../tool.ts";
import type { CallOutcome, RequestedCall } from "./call-outcome.ts";

/** A call to execute. `resumed` is set when the user restarted the call after it was pending. */
export interface ExecutableCall extends RequestedCall {
  readonly resumed?: {
    readonly metadata: Readonly<Record<string, unknown>>;
    /** Left out if the tool does not say what a call uses. */
    readonly asked?: AskedCall;
  };
}

/** What the user was asked about: the places that the call used then and, if the user edited it, the input of then. */
export interface AskedCall {
  readonly places: readonly string[];
  readonly input?: unknown;
}

export interface ToolExecutorOptions {
  readonly teamId: string;
  readonly participant: string;
  /** The participants that lead to its nested team. */
  readonly path?: readonly string[];
  readonly tools: readonly Tool[];
  /** Tools that are known when they are needed. */
  readonly sources?: readonly ToolSource[];
  /** How many users have to approve a call; 1 if left out. */
  readonly required?: (() => number) | undefined;
  /** Decides from the user's approval rules; defaults to the tools' declarations. If it throws, the call is denied. */
  readonly approve?: ((call: CallToApprove) => ApprovalOutcome | Promise<ApprovalOutcome>) | undefined;
  /** See `ToolContext.leavesOut`. */
  readonly leavesOut?: ((call: CallToApprove) => ((path: string) => Promise<boolean>) | undefined) | undefined;
  /** Whether the team has the user review the results of that tool, before the model sees them. */
  readonly reviews?: ((tool: string) => boolean) | undefined;
  readonly emit: (draft: EventDraft) => void;
  /** Resolves when what was emitted is stored; undefined if it is. A tool may have effects, so its start is stored first. */
  readonly durable?: () => Promise<void> | undefined;
}

/** A call with its prepared input, what it does, and whether it may run. */
interface JudgedCall {
  readonly call: ExecutableCall;
  readonly effects: CallEffects | undefined;
  /** Undefined for a restarted call that no rule denies and that leads where it did: the user has approved it. */
  readonly approval: ApprovalOutcome | undefined;
  /** Why the user reviews the result; undefined if they do not. */
  readonly review: string | undefined;
}

/** The result of an interrupted call. */
export const INTERRUPTED_CALL_RESULT = "The user interrupted this call before it ended.";

/** The result of a call that has run, but was interrupted before the user had reviewed what it gave. */
export const UNREVIEWED_RESULT = "This call has run, but the user has not reviewed its result, which is withheld.";

/** Runs one participant's tool calls: validates them, asks the user where approval is needed, and emits each result. */
export class ToolExecutor {
  readonly #options: ToolExecutorOptions;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #sources: readonly ToolSource[];
  readonly #executing = new Set<string>();

  constructor(options: ToolExecutorOptions) {
    this.#options = options;
    this.#sources = options.sources ?? [];
    this.#tools = new Map(options.tools.map((tool) => [tool.declaration.name, tool]));
  }

  /** The refs of the calls whose tools run, also of abandoned calls. */
  get executing(): ReadonlySet<string> {
    return this.#executing;
  }

  /** What an interrupt of the turn does to a call of that tool: the declaration's `onInterrupt`. */
  interruptBehavior(name: string): "abort" | "wait" | "background" {
    return this.#tool(name)?.declaration.onInterrupt ?? "abort";
  }

  /** True for a tool that declares that it changes nothing. */
  isReadOnly(name: string): boolean {
    return this.#tool(name)?.declaration.readOnly === true;
  }

  /** The input in its normal form; as it is if the tool is unknown. @throws Error that says what is wrong with it. */
  prepare(name: string, input: unknown): unknown {
    const tool = this.#tool(name);
    return tool?.prepare === undefined ? input : tool.prepare(input);
  }

  /** What a call of that tool would do, as the tool itself describes it; null if it offers no preview. */
  async preview(name: string, input: unknown): Promise<unknown> {
    return (await this.#tool(name)?.preview?.(input)) ?? null;
  }

  /** A call as the approval rules see it; undefined if it cannot run: its tool is unknown or refuses it. */
  async callToApprove(name: string, input: unknown): Promise<CallToApprove | undefined> {
    const tool = this.#tool(name);
    if (tool === undefined) return undefined;
    try {
      const prepared = this.prepare(name, input);
      return this.#callToApprove(tool, prepared, await tool.effects?.(prepared));
    } catch {
      return undefined;
    }
  }

  /** Gives a cancelled call its result when its tool does not stop. The tool's own late result is then ignored. */
  abandon(call: ExecutableCall): CallOutcome {
    return this.#interrupted(call, new Error("The tool did not stop and may still be running."));
  }

  /**
   * Runs one call, or makes it pending for the user. Never throws: what a tool throws becomes the call's error result. An
   * abort of `signal` before `onStart`, which is called when the tool starts, keeps the tool from starting.
   */
  async run(call: ExecutableCall, signal: AbortSignal, onStart: () => void = () => {}): Promise<CallOutcome> {
    const tool = this.#tool(call.name);
    if (tool === undefined) return this.#executed(call, this.#unknown(call.name), true);
    if (call.malformed !== undefined) return this.#executed(call, call.malformed, true);
    try {
      const judged = await unlessAborted(this.#judge(tool, call), signal);
      if (judged === undefined || signal.aborted) return this.#interrupted(call);
      return await this.#runJudged(tool, judged, signal, onStart);
    } catch (error) {
      return this.#executed(call, messageOf(error), true);
    }
  }

  /** @throws Error when the input is refused, or the call cannot run. */
  async #judge(tool: Tool, given: ExecutableCall): Promise<JudgedCall> {
    if (given.reported) return { call: given, effects: undefined, approval: undefined, review: undefined };
    const call = { ...given, input: this.prepare(given.name, given.input) };
    const effects = await tool.effects?.(call.input);
    const outcome = await this.#evaluate(tool, call.input, effects);
    const review = outcome.review ?? this.#teamReviews(call.name);
    // A restarted call needs no other approval, but what is denied stays denied: its input may have been edited.
    if (call.resumed === undefined || outcome.decision === "deny") return { call, effects, approval: outcome, review };
    const { asked } = call.resumed;
    const isAsked = outcome.decision === "ask" && asked !== undefined;
    const hasMoved = isAsked && (await leadsElsewhere(tool, effects, asked));
    return { call, effects, approval: hasMoved ? movedOutcome(effects) : undefined, review };
  }

  #teamReviews(tool: string): string | undefined {
    const { reviews, participant } = this.#options;
    return reviews?.(tool) ? `The team has you review what ${tool} gives ${participant}.` : undefined;
  }

  async #runJudged(tool: Tool, judged: JudgedCall, signal: AbortSignal, onStart: () => void): Promise<CallOutcome> {
    const { call, effects, approval } = judged;
    if (approval?.decision === "deny") return this.#executed(call, `${approval.reason} The tool was not run.`, true);
    if (approval?.decision === "ask") return this.#pending(call, effects, { approval: true, ...reasonOf(approval) });
    if (approval !== undefined && tool.declaration.interrupt) return this.#pending(call, effects, { interrupt: true });
    return this.#execute(tool, judged, signal, onStart);
  }

  async #evaluate(tool: Tool, input: unknown, effects: CallEffects | undefined): Promise<ApprovalOutcome> {
    try {
      const call = this.#callToApprove(tool, input, effects);
      return (await this.#options.approve?.(call)) ?? declaredOutcome(tool.declaration);
    } catch (error) {
      const reason = `The approval rules cannot be applied, so this call is denied: ${messageOf(error)}`;
      return { decision: "deny", rules: [], byRule: true, reason };
    }
  }

  #callToApprove({ declaration, provider }: Tool, input: unknown, effects: CallEffects | undefined): CallToApprove {
    const { teamId, participant } = this.#options;
    const call = { tool: declaration, participant, input, teamId };
    return {
      ...call,
      ...(effects === undefined ? {} : { effects }),
      ...(provider === undefined ? {} : { provider }),
    };
  }

  async #execute(tool: Tool, judged: JudgedCall, signal: AbortSignal, onStart: () => void): Promise<CallOutcome> {
    const { call, effects, approval, review } = judged;
    const { teamId, participant, path, emit } = this.#options;
    const { ref } = call;
    const approved = approval && approvedBy(approval);
    emit({ type: "tool/started", ref, ...(approved === undefined ? {} : { approved }) });
    const stored = this.#options.durable?.();
    if (stored !== undefined) await unlessAborted(stored, signal);
    if (signal.aborted) return this.#interrupted(call);
    onStart();
    this.#executing.add(ref);
    let exit: CommandExit | undefined;
    try {
      const output = await tool.run(call.input, {
        teamId,
        participant,
        ...(path === undefined ? {} : { path }),
        ref,
        signal,
        metadata: call.resumed === undefined ? {} : { ...call.resumed.metadata, resumed: true },
        effects,
        leavesOut: this.#options.leavesOut?.(this.#callToApprove(tool, call.input, effects)),
        exited: (how) => {
          exit = how;
        },
        output: (delta) => emit({ type: "tool/output", ref, delta }),
      });
      const problem = sizeProblem(output, LIMITS.value);
      if (problem !== undefined) return this.#executed(call, `${call.name} ran, but its result ${problem}.`, true);
      if (review !== undefined) return this.#toReview(judged, { output: output ?? null, isError: false }, signal);
      return this.#executed(call, output ?? null, false, exit);
    } catch (error) {
      return this.#failed(judged, error, signal);
    } finally {
      this.#executing.delete(ref);
    }
  }

  /** The outcome of a call whose tool threw. */
  #failed(judged: JudgedCall, error: unknown, signal: AbortSignal): CallOutcome {
    const { call, effects, review } = judged;
    const asks = error instanceof ToolInterrupt;
    if (review !== undefined && !asks && !isBareAbort(error, signal))
      return this.#toReview(judged, { output: messageOf(error), isError: true }, signal);
    if (signal.aborted) return this.#interrupted(call, review === undefined ? error : undefined);
    if (!asks) return this.#executed(call, messageOf(error), true);
    const problem = sizeProblem(error.data, LIMITS.value);
    if (problem === undefined) return this.#pending(call, effects, { interrupt: error.data ?? true });
    return this.#executed(call, `What ${call.name} asked ${problem}.`, true);
  }

  #executed(call: ExecutableCall, output: unknown, isError: boolean, exit?: CommandExit): CallOutcome {
    const { ref, name } = call;
    this.#options.emit({
      type: "tool/executed",
      ref,
      name,
      participant: this.#options.participant,
      output,
      isError,
      ...(exit === undefined ? {} : { exit }),
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

  /** Keeps a result for the user's review. After an interrupt only the log keeps it, and the model is told so. */
  #toReview({ call, effects, review }: JudgedCall, result: WaitingResult, signal: AbortSignal): CallOutcome {
    const { ref, name } = call;
    const { participant, emit } = this.#options;
    if (!signal.aborted) {
      const why = { review: true as const, interrupt: reviewInterrupt(name, participant, result) };
      return this.#pending(call, effects, { ...why, ...(review === undefined ? {} : { reason: review }) });
    }
    const output = `${INTERRUPTED_CALL_RESULT} ${UNREVIEWED_RESULT}`;
    const ended = { ref, name, participant, output, isError: true, interrupted: true as const };
    emit({ type: "tool/executed", ...ended, unreviewed: result.output });
    return { kind: "interrupted", ref };
  }

  #pending(
    call: ExecutableCall,
    effects: CallEffects | undefined,
    why: Pick<PendingTool, "approval" | "interrupt" | "reason" | "review">,
  ): CallOutcome {
    const { ref, name, input } = call;
    const { participant, emit } = this.#options;
    const places = effects === undefined ? {} : { places: placesOf(effects) };
    const required = this.#options.required?.() ?? 1;
    const several = why.approval && required > 1 && !this.isReadOnly(name) ? { required } : {};
    emit({ type: "tool/interrupted", ref, name, participant, input, ...why, ...places, ...several });
    return { kind: "pending", ref };
  }

  #tool(name: string): Tool | undefined {
    const tool = this.#tools.get(name);
    if (tool !== undefined || this.#sources.length === 0) return tool;
    for (const source of this.#sources) {
      const found = source.find(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #unknown(name: string): string {
    const known = this.#sources.flatMap(({ tools }) => tools.map(({ declaration }) => declaration.name));
    const names = [...this.#tools.keys(), ...known];
    const problems = this.#sources.flatMap(({ problem }) => problem ?? []);
    const there = `There is no tool "${name}"; the tools are ${names.length === 0 ? "none" : names.join(", ")}.`;
    return [there, ...new Set(problems)].join(" ");
  }
}

/** An abort that reports nothing of what the tool did. */
const isBareAbort = (error: unknown, { aborted }: AbortSignal): boolean =>
  aborted && !(error instanceof Error && error.name !== "AbortError");

/**
 * Whether a restarted call uses other files than when the user was asked, such as after a link was replaced. If the user
 * edited the input, the one that was shown counts.
 */
async function leadsElsewhere(tool: Tool, effects: CallEffects | undefined, asked: AskedCall): Promise<boolean> {
  try {
    const now = asked.input === undefined ? effects : await tool.effects?.(asked.input);
    return now === undefined || placesOf(now).some((place) => !asked.places.includes(place));
  } catch {
    return true;
  }
}

const placesOf = ({ paths, command }: CallEffects): string[] => [
  ...paths.map(({ path }) => path),
  ...(command === undefined ? [] : [command.folder]),
];

function movedOutcome(effects: CallEffects | undefined): ApprovalOutcome {
  const places = effects === undefined ? [] : placesOf(effects);
  const where = places.length === 0 ? "" : `, to ${places.join(", ")}`;
  const reason = `The call leads elsewhere than when you were asked${where}.`;
  return { decision: "ask", rules: [], byRule: true, reason };
}

/** Why a call asks the user, when it is more than its tool's declaration. */
const reasonOf = ({ byRule, reason }: ApprovalOutcome): Pick<PendingTool, "reason"> => (byRule ? { reason } : {});

/** Why a call runs without asking the user: the rule that allows it. A tool that never asks needs no reason. */
function approvedBy({ byRule, rules, reason }: ApprovalOutcome): Approved | undefined {
  const [rule] = rules;
  return byRule ? { ...(rule === undefined ? {} : { rule: rule.id }), reason } : undefined;
}
