import type { ContextItem } from "../model.ts";

/**
 * Why the items are not a valid conversation for a model; undefined if they are: each call has exactly one result, directly
 * after it and in order.
 */
export function conversationProblem(items: readonly ContextItem[]): string | undefined {
  const expected: string[] = [];
  for (const item of items) {
    if (item.role === "tool") {
      const wanted = expected.shift();
      if (wanted !== item.ref) return `a result for ${item.ref} where ${wanted ?? "none"} was due`;
    } else if (expected.length > 0) {
      return `no result for ${expected.join(", ")}`;
    } else if (item.role === "assistant") {
      expected.push(...item.calls.map(({ ref }) => ref));
    }
  }
  return expected.length === 0 ? undefined : `no result for ${expected.join(", ")}`;
}
