import { isRecord } from "../../shared/json-record.ts";

/** The question whether a command that failed in the sandbox may run outside it. */
export interface OutsideQuestion {
  /** Why it failed, as a clause that starts with "it". */
  readonly reason: string;
  /** The result of the call as it is. */
  readonly output: string;
}

/** That question, if a pending call asks it; only the host's own tool does. */
export function outsideQuestionOf(call: {
  readonly name: string;
  readonly interrupt?: unknown;
}): OutsideQuestion | undefined {
  const { interrupt } = call;
  if (call.name !== "runCommand" || !isRecord(interrupt) || interrupt["kind"] !== "runOutsideSandbox") return undefined;
  const { reason, output } = interrupt;
  return typeof reason === "string" && typeof output === "string" ? { reason, output } : undefined;
}
