import type { TeamEvent, TransientEvent } from "../contract/event.ts";

/** Two consecutive events of one stream, a message's text or a call's output, as one; undefined for any other two. */
export function mergedEvent(first: TeamEvent, second: TeamEvent): TransientEvent | undefined {
  if (first.type === "message/chunk" && second.type === "message/chunk" && first.messageId === second.messageId) {
    return { ...first, delta: first.delta + second.delta };
  }
  if (first.type === "tool/output" && second.type === "tool/output" && first.ref === second.ref) {
    return { ...first, delta: first.delta + second.delta };
  }
  return undefined;
}
