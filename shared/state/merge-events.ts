import type { TeamEvent, TransientEvent } from "../contract/event.ts";

/** Two consecutive pieces of one message, thought or call's output as one; undefined for any other two events. */
export function mergedEvent(first: TeamEvent, second: TeamEvent): TransientEvent | undefined {
  if (first.type === "message/chunk" && second.type === "message/chunk" && first.messageId === second.messageId) {
    return { ...first, delta: first.delta + second.delta };
  }
  if (first.type === "tool/output" && second.type === "tool/output" && first.ref === second.ref) {
    return { ...first, delta: first.delta + second.delta };
  }
  if (first.type === "reasoning/chunk" && second.type === "reasoning/chunk" && turnOf(first) === turnOf(second)) {
    return { ...first, delta: first.delta + second.delta };
  }
  return undefined;
}

/** A turn's id is unique only within its team. */
const turnOf = ({ path = [], from, correlation_id }: Extract<TransientEvent, { type: "reasoning/chunk" }>): string =>
  JSON.stringify([path, from, correlation_id]);
