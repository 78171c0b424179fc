import { isDeepStrictEqual } from "node:util";
import type { PendingTool } from "../../shared/contract/team.ts";
import { listText } from "../common/list-text.ts";

/**
 * The calls that are one question with this one, itself among them: the same tool with the same input, whoever asks, put to the user
 * for approval. A question of the tool itself is always its own.
 */
export function identicalCalls(call: PendingTool, pending: readonly PendingTool[]): readonly PendingTool[] {
  if (call.approval === undefined) return [call];
  const isSame = ({ name, input, approval }: PendingTool): boolean =>
    approval === true && name === call.name && isDeepStrictEqual(input, call.input);
  return pending.filter((other) => other.ref === call.ref || isSame(other));
}

/** One call for each question, in the order in which they were asked. */
export function distinctCalls(pending: readonly PendingTool[]): readonly PendingTool[] {
  return pending.filter((call) => identicalCalls(call, pending)[0]?.ref === call.ref);
}

/** Who asks, each once, such as `ann, bob, and cat`. */
export function callerNames(calls: readonly PendingTool[]): string {
  return listText([...new Set(calls.map(({ participant }) => participant))]);
}
