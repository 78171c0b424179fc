import { ReasoningReason } from "../../../shared/contract/reasoning.ts";
import { isRecord } from "../../../shared/json-record.ts";
import type { RequestedCall } from "../calls/call-outcome.ts";
import type { AnsweredCall } from "../context/tool-step.ts";
import type { ToolSpec } from "../model.ts";
import type { BuiltInTools } from "./built-in-tools.ts";
import type { CapabilityTargets } from "./interrupt-tool.ts";

/** The tool that interrupts another participant's reasoning (the capability `reasoning/interrupt`). */
export const INTERRUPT_REASONING = "interrupt_reasoning";

/** An interrupt of another participant's reasoning. */
export interface ReasoningInterruptRequest {
  readonly by: string;
  readonly participant: string;
  readonly reason: ReasoningReason;
  readonly message: string;
}

/** What became of it: `limited` if the participant has interrupted too often in the last minute. */
export type ReasoningInterruptOutcome = "asked" | "notReasoning" | "limited";

export interface InterruptReasoningToolOptions {
  readonly participant: string;
  readonly targets: CapabilityTargets;
  readonly interrupt: (wanted: ReasoningInterruptRequest) => ReasoningInterruptOutcome;
}

/** A model does not act for the user. */
const REASONS = ReasoningReason.options.filter((reason) => reason !== "user_request");

/**
 * Lets a participant stop or redirect the reasoning of others that speak at the same time, with a reason and a message (the
 * MEW reasoning interruption design, DECISIONS.md).
 */
export class InterruptReasoningTool implements BuiltInTools {
  readonly specs: readonly ToolSpec[];
  readonly #options: InterruptReasoningToolOptions;

  constructor(options: InterruptReasoningToolOptions) {
    this.#options = options;
    this.specs = [specFor(options.targets)];
  }

  owns(tool: string): boolean {
    return tool === INTERRUPT_REASONING;
  }

  answer(calls: readonly RequestedCall[]): AnsweredCall[] {
    return calls.map(({ ref, name, input }) => {
      const wanted = this.#parse(input);
      if (typeof wanted === "string") return { ref, name, input, output: wanted, isError: true };
      const output = outcomeText(wanted.participant, this.#options.interrupt(wanted));
      return { ref, name, input, output, isError: false };
    });
  }

  /** Parses an input; returns what is wrong with an invalid one. */
  #parse(input: unknown): ReasoningInterruptRequest | string {
    const { participant: by, targets: reach } = this.#options;
    const { participant, reason, message } = isRecord(input) ? input : {};
    if (typeof participant !== "string" || (reach !== "everyone" && !reach.includes(participant))) {
      const may = reach === "everyone" ? "a participant's name" : `one of ${reach.join(", ")}`;
      return `\`participant\` must be ${may}.`;
    }
    const known = REASONS.find((each) => each === reason);
    if (known === undefined) return `\`reason\` must be one of: ${REASONS.join(", ")}.`;
    if (typeof message !== "string" || message.trim() === "")
      return "Provide `message`: why you interrupt, or what the participant should think about instead.";
    return { by, participant, reason: known, message };
  }
}

function outcomeText(participant: string, outcome: ReasoningInterruptOutcome): string {
  switch (outcome) {
    case "asked":
      return `${participant} was asked to stop reasoning after its current thought.`;
    case "notReasoning":
      return `${participant} was not asked: it is not reasoning now.`;
    case "limited":
      return `${participant} was not asked: you have interrupted too often in the last minute. Let it finish.`;
  }
}

function specFor(reach: CapabilityTargets): ToolSpec {
  const whose = reach === "everyone" ? {} : { enum: [...reach] };
  return {
    name: INTERRUPT_REASONING,
    description: "Stop or redirect another participant's reasoning once its current thought is complete.",
    inputSchema: {
      type: "object",
      properties: {
        participant: { type: "string", ...whose, description: "The participant whose reasoning to interrupt." },
        reason: {
          type: "string",
          enum: [...REASONS],
          description:
            "redirect: the participant starts over and takes your message into account. Any other reason: the run pauses until the user continues it.",
        },
        message: { type: "string", description: "Why you interrupt; for redirect, what to think about instead." },
      },
      required: ["participant", "reason", "message"],
      additionalProperties: false,
    },
  };
}
