/** The stop reasons that the host itself gives; any other is the text of the termination condition that fired. */
export const StopReason = {
  userInterrupt: "USER_INTERRUPT",
  userMessageCompleted: "USER_MESSAGE_COMPLETED",
  userMessageTimeout: "USER_MESSAGE_TIMEOUT",
  toolInterrupt: "TOOL_INTERRUPT",
  cancelled: "CANCELLED",
} as const;

/** `status.reason` of a run that ended because its host did. */
export const HOST_STOPPED = "host_stopped";
