import { GavelError, messageOf } from "../../../shared/contract/errors.ts";
import { StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { RunStatus } from "../../../shared/contract/team.ts";
import { interruptedStatus } from "../cancellation/collector.ts";
import type { InterruptCause } from "../cancellation/run-context.ts";

/** How a run ends. `resets` ends it for good: conditions and the turn count start again at zero. */
export interface RunEnd {
  readonly stopReason: string | null;
  readonly status: RunStatus;
  readonly resets: boolean;
  /**
   * What becomes of the manager's selection when the run resets: it goes on where it stood, or starts over with a new task.
   * Nothing of it is kept if left out.
   */
  readonly flow?: "open" | "finished";
  /** Set where the user's message was delivered and is not answered. */
  readonly isUnanswered?: true;
  /** The error, if the run failed. */
  readonly error?: unknown;
}

/** A termination condition fired, the maximum number of turns was reached, or `team/stop` was requested. */
export const terminated = (stopReason: string): RunEnd => ({
  stopReason,
  status: { code: "success" },
  resets: true,
  flow: "open",
});

/** The manager ended the conversation. */
export const finished = (stopReason: string): RunEnd => ({ ...terminated(stopReason), flow: "finished" });

/** The user's directed message is answered, and no one speaks after it. */
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

/** A user participant has the turn. */
export const awaitingUser = (): RunEnd => ({
  stopReason: StopReason.userInputRequested,
  status: { code: "interrupted", reason: "user_input" },
  resets: false,
});

/** A budget is used up, in this team or a nested one: the user may continue. */
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

/** The end of a run that was cut short. `resets` if the interrupt was more severe than a pause. */
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
