import type { TaskResult } from "../../../shared/contract/team.ts";
import { lastMessages } from "../../../shared/state/last-messages.ts";

/** The result of a run with as many of its last messages as fit into one answer. */
export function fittingResult(result: TaskResult): TaskResult {
  const messages = lastMessages(result.messages, result.messages.length);
  const omitted = result.messages.length - messages.length;
  return omitted === 0 ? result : { ...result, messages, omitted };
}
