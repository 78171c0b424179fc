import type { Capability } from "../../../shared/contract/definition.ts";
import type { Severity } from "../../../shared/contract/team.ts";
import { isRecord } from "../../../shared/json-record.ts";
import type { RequestedCall } from "../calls/call-outcome.ts";
import type { AnsweredCall } from "../context/tool-step.ts";
import type { ToolSpec } from "../model.ts";
import type { BuiltInTools } from "./built-in-tools.ts";

/** The tool that interrupts the team (the capability `interrupt`). */
export const INTERRUPT_TEAM = "interrupt_team";

/** Clearing the thread is left to users and their rules: a model can be manipulated. */
const SEVERITIES: readonly Severity[] = ["pause", "stop"];

/** An interrupt requested by a participant: of the whole team, unless it names a participant. */
export interface InterruptRequest {
  readonly by: string;
  readonly reason: string;
  readonly severity: Severity;
  readonly participant?: string | undefined;
}

/** The participants that a capability applies to. */
export type CapabilityTargets = readonly string[] | "everyone";

export interface InterruptToolOptions {
  readonly participant: string;
  readonly targets: CapabilityTargets;
  /** Interrupts; returns false when the participant has no turn in progress. */
  readonly interrupt: (wanted: InterruptRequest) => boolean;
}

/** The participants that the capabilities of that kind apply to; undefined without such a capability. */
export function capabilityTargets(
  wanted: string,
  capabilities: readonly Capability[] = [],
): CapabilityTargets | undefined {
  const own = capabilities.filter(({ kind }) => kind === wanted).flatMap(({ to = [] }) => to);
  if (own.length === 0) return undefined;
  return own.includes("*") ? "everyone" : own;
}

/**
 * Lets a participant interrupt its team, or another participant that speaks at the same time, like the watchdogs of the
 * AutoGen interrupt design (DECISIONS.md). Its own turn is not cut off: the team stops when this turn, and those in
 * parallel, have ended. Another participant is stopped immediately.
 */
export class InterruptTool implements BuiltInTools {
  readonly specs: readonly ToolSpec[];
  readonly #options: InterruptToolOptions;

  constructor(options: InterruptToolOptions) {
    this.#options = options;
    this.specs = [specFor(options.targets)];
  }

  owns(tool: string): boolean {
    return tool === INTERRUPT_TEAM;
  }

  answer(calls: readonly RequestedCall[]): AnsweredCall[] {
    return calls.map(({ ref, name, input }) => ({ ref, name, input, ...this.#carryOut(input) }));
  }

  #carryOut(input: unknown): Pick<AnsweredCall, "output" | "isError"> {
    const { participant: by, targets: reach, interrupt } = this.#options;
    const { reason, participant, severity = "pause" } = isRecord(input) ? input : {};
    if (typeof reason !== "string" || reason.trim() === "") return refused("Provide `reason`: why you interrupt.");
    const grade = SEVERITIES.find((known) => known === severity);
    if (grade === undefined) return refused(`\`severity\` must be one of: ${SEVERITIES.join(", ")}.`);
    if (participant === undefined || participant === by) {
      if (participant === undefined && reach !== "everyone")
        return refused(`Name one of ${reach.join(", ")} as \`participant\`.`);
      interrupt({ by, reason, severity: grade, participant });
      const who = participant === undefined ? "The team" : "You";
      return done(
        `${who} will be interrupted after this turn. Finish your turn with a short report of what you observed.`,
      );
    }
    if (typeof participant !== "string" || (reach !== "everyone" && !reach.includes(participant))) {
      const may = reach === "everyone" ? "a participant's name" : `one of ${reach.join(", ")}`;
      return refused(`You are not allowed to interrupt ${String(participant)}. \`participant\` must be ${may}.`);
    }
    const stopped = interrupt({ by, reason, severity: grade, participant });
    return done(
      stopped ? `${participant} was interrupted.` : `${participant} was not interrupted: it has no turn in progress.`,
    );
  }
}

const done = (output: string) => ({ output, isError: false });
const refused = (output: string) => ({ output, isError: true });

function specFor(reach: CapabilityTargets): ToolSpec {
  const target =
    reach === "everyone"
      ? { type: "string", description: "The participant to interrupt. Omit it to interrupt the whole team." }
      : { type: "string", enum: [...reach], description: "The participant to interrupt." };
  return {
    name: INTERRUPT_TEAM,
    description: "Interrupt the team so that the user can review the conversation. No messages are lost.",
    inputSchema: {
      type: "object",
      properties: {
        reason: { type: "string", description: "The reason, in one sentence for the user." },
        participant: target,
        severity: {
          type: "string",
          enum: [...SEVERITIES],
          description: "pause: the user can continue the run. stop: the run ends, and the next task starts over.",
        },
      },
      required: reach === "everyone" ? ["reason"] : ["reason", "participant"],
      additionalProperties: false,
    },
  };
}
