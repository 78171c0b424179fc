import { isDeepStrictEqual } from "node:util";
import type { PendingTool } from "../../shared/contract/team.ts";
import { listText } from "../../shared/text/list-text.ts";

/**
 * The calls that one decision resolves together with this one, which is among them: approvals of the same tool with the
 * same input, from any participant. A question that the tool itself asks is decided alone.
 */
export function identicalCalls(call: PendingTool, pending: readonly PendingTool[]): readonly PendingTool[] {
  if (call.approval === undefined) return [call];
  const isSame = ({ name, input, approval }: PendingTool): boolean =>
    approval === true && name === call.name && isDeepStrictEqual(input, call.input);
  return pending.filter((other) => other.ref === call.ref || isSame(other));
}

/** One call of each group of identical ones, in the order of their requests. */
export function distinctCalls(pending: readonly PendingTool[]): readonly PendingTool[] {
  return pending.filter((call) => identicalCalls(call, pending)[0]?.ref === call.ref);
}

/** The participants that request the calls, each once, such as `ann, bob, and cat`. */
export function callerNames(calls: readonly PendingTool[]): string {
  return listText([...new Set(calls.map(({ participant }) => participant))]);
}
