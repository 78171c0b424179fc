import type { EventDraft } from "../../../shared/contract/event.ts";
import { messageOf } from "../../../shared/errors.ts";
import { type Tool, ToolInterrupt } from "../tool.ts";
import type { CallOutcome, RequestedCall } from "./participant.ts";

/** One call for the desk. `resumed` is set when the user told it to run, after it had been put to the user. */
export interface DeskCall extends RequestedCall {
  readonly resumed?: { readonly metadata: Readonly<Record<string, unknown>> };
}

export interface ToolDeskOptions {
  readonly teamId: string;
  readonly participant: string;
  readonly tools: readonly Tool[];
  readonly emit: (draft: EventDraft) => void;
}

/** The result of a call that an interrupt cut short. */
export const INTERRUPTED_CALL = "The user interrupted this call before it ended.";

/** Runs one participant's tool calls: checks them, puts to the user what needs the user, and tells each result. */
export class ToolDesk {
  readonly #options: ToolDeskOptions;
  readonly #tools: ReadonlyMap<string, Tool>;

  constructor(options: ToolDeskOptions) {
    this.#options = options;
    this.#tools = new Map(options.tools.map((tool) => [tool.declaration.name, tool]));
  }

  /** Runs one call, or puts it to the user. Never throws: what a tool throws is the call's error result. */
  async run(call: DeskCall, signal: AbortSignal): Promise<CallOutcome> {
    const tool = this.#tools.get(call.name);
    if (tool === undefined) return this.#executed(call, this.#unknown(call.name), true);
    const fault = call.malformed ?? faultIn(tool, call.input);
    if (fault !== undefined) return this.#executed(call, fault, true);
    if (call.resumed === undefined && tool.declaration.approval === "ask")
      return this.#pending(call, { approval: true });
    if (call.resumed === undefined && tool.declaration.interrupt) return this.#pending(call, { interrupt: true });
    return this.#runTool(tool, call, signal);
  }

  async #runTool(tool: Tool, call: DeskCall, signal: AbortSignal): Promise<CallOutcome> {
    const { teamId, participant, emit } = this.#options;
    const { ref } = call;
    emit({ type: "tool/started", ref });
    if (signal.aborted) return this.#interrupted(call);
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
    }
  }

  #executed(call: DeskCall, output: unknown, isError: boolean): CallOutcome {
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

  #interrupted(call: DeskCall, error?: unknown): CallOutcome {
    const { ref, name } = call;
    const { participant, emit } = this.#options;
    // What the tool has to say of what it did until then is worth keeping; a bare abort says nothing.
    const told = error instanceof Error && error.name !== "AbortError" ? `\n${error.message}` : "";
    const output = `${INTERRUPTED_CALL}${told}`;
    emit({ type: "tool/executed", ref, name, participant, output, isError: true, interrupted: true });
    return { kind: "interrupted", ref };
  }

  #pending(call: DeskCall, why: { readonly approval?: true; readonly interrupt?: unknown }): CallOutcome {
    const { ref, name, input } = call;
    this.#options.emit({ type: "tool/interrupted", ref, name, participant: this.#options.participant, input, ...why });
    return { kind: "pending", ref };
  }

  #unknown(name: string): string {
    const names = [...this.#tools.keys()];
    return `There is no tool "${name}"; the tools are ${names.length === 0 ? "none" : names.join(", ")}.`;
  }
}

/** What is wrong with an input. A check that fails lets nothing pass. */
function faultIn(tool: Tool, input: unknown): string | undefined {
  try {
    return tool.check?.(input);
  } catch (error) {
    return messageOf(error);
  }
}
