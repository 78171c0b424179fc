import { GavelError, messageOf } from "../../../shared/contract/errors.ts";
import { StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { RunStatus } from "../../../shared/contract/team.ts";
import { interruptedStatus } from "../cancellation/collector.ts";
import type { InterruptCause } from "../cancellation/run-context.ts";

/** How a run ends. `resets` ends it for good: conditions and the turn count begin anew. */
export interface RunEnd {
  readonly stopReason: string | null;
  readonly status: RunStatus;
  readonly resets: boolean;
  /** What made it fail. */
  readonly error?: unknown;
}

/** A termination condition fired, the turns are used up, or `team/stop` was asked. */
export const terminated = (stopReason: string): RunEnd => ({ stopReason, status: { code: "success" }, resets: true });

/** The user's message is answered, and nobody speaks after it. */
export const answered = (): RunEnd => ({
  stopReason: StopReason.userMessageCompleted,
  status: { code: "success" },
  resets: false,
});

export const answerTimedOut = (to: string): RunEnd => ({
  stopReason: StopReason.userMessageTimeout,
  status: { code: "interrupted", reason: "timeout", message: `${to} did not answer in time.` },
  resets: false,
});

export const awaitingTools = (): RunEnd => ({
  stopReason: StopReason.toolInterrupt,
  status: { code: "interrupted", reason: "tool_interrupt" },
  resets: false,
});

/** It is a user participant's turn. */
export const awaitingUser = (): RunEnd => ({
  stopReason: StopReason.userInputRequested,
  status: { code: "interrupted", reason: "user_input" },
  resets: false,
});

/** A budget is used up, here or in a nested team: the user may go on. */
export const paused = (stopReason: string | null, status: RunStatus): RunEnd => ({ stopReason, status, resets: false });

export const failed = (error: unknown): RunEnd => ({
  stopReason: null,
  status: {
    code: "error",
    reason: error instanceof GavelError ? error.data.code : "InternalError",
    message: messageOf(error),
  },
  resets: false,
  error,
});

/** The end of a run that was cut short; `resets` when the interrupt was more than a pause. */
export function cutShort(cause: InterruptCause, resets: boolean): RunEnd {
  switch (cause.kind) {
    case "interrupt":
      return { stopReason: StopReason.userInterrupt, status: interruptedStatus(), resets };
    case "cancel":
      return { stopReason: StopReason.cancelled, status: { code: "cancelled" }, resets: true };
    case "timeout":
      return answerTimedOut("The participant");
    case "failure":
      return failed(cause.error);
  }
}
