/** The host's own stop reasons; any other is the text of the termination condition that fired. */
export const StopReason = {
  userInterrupt: "USER_INTERRUPT",
  userMessageCompleted: "USER_MESSAGE_COMPLETED",
  userMessageTimeout: "USER_MESSAGE_TIMEOUT",
  toolInterrupt: "TOOL_INTERRUPT",
  cancelled: "CANCELLED",
  /** It is the turn of a user participant: the next task is its message. */
  userInputRequested: "USER_INPUT_REQUESTED",
} as const;

/** `status.reason` of a run that ended because its host process ended. */
export const HOST_STOPPED = "host_stopped";

/** `status.reason` of a run that ended because its events could not be stored: the team is paused. */
export const STORAGE_FAILED = "StorageError";

/** `status.reason` of a run that a budget paused. */
export const BUDGET = "budget";
