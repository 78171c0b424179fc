import type { DurableDraft, DurableEvent } from "../../../shared/contract/event.ts";
import type { ContextItem } from "../model.ts";
import type { RandomInt } from "./random.ts";

const WHEN = "2026-01-01T00:00:00.000Z";

/** Events of a conversation. */
export const messageAdded = (source: string, content: string, more: object = {}): DurableDraft => ({
  type: "message/added",
  message: { id: content, type: "TextMessage", source, content, createdAt: WHEN, ...more },
});
export const toolRequested = (participant: string, ...refs: readonly string[]): DurableDraft => ({
  type: "tool/requested",
  participant,
  calls: refs.map((ref) => ({ ref, name: `tool-${ref}`, input: ref })),
});
export const toolExecuted = (ref: string, output: unknown = `out ${ref}`): DurableDraft => ({
  type: "tool/executed",
  ref,
  name: `tool-${ref}`,
  participant: "ann",
  output,
  isError: false,
});

/** The same events with sequence numbers and a time. */
export const numbered = (drafts: readonly DurableDraft[]): DurableEvent[] =>
  drafts.map((draft, at) => ({ seq: at + 1, at: WHEN, ...draft }));

/**
 * A random conversation of ann, bob and the user: whole and partial messages, and calls whose results come late, out of
 * order, or never.
 */
export function randomConversation(draw: RandomInt, length: number): DurableDraft[] {
  const drafts: DurableDraft[] = [];
  const waiting: string[] = [];
  for (let at = 0; at < length; at++) {
    const speaker = ["ann", "bob", "user"][draw(3)] ?? "user";
    switch (draw(4)) {
      case 0:
        drafts.push(
          messageAdded(speaker, `m${at} ${"word ".repeat(draw(12))}`, draw(4) === 0 ? { partial: true } : {}),
        );
        break;
      case 1:
        drafts.push(messageAdded(speaker, `m${at}`));
        break;
      case 2: {
        const refs = Array.from({ length: 1 + draw(3) }, (_, nth) => `c${at}-${nth}`);
        drafts.push(toolRequested(speaker === "user" ? "ann" : speaker, ...refs));
        waiting.push(...refs);
        break;
      }
      default: {
        const [ref] = waiting.splice(draw(waiting.length), 1);
        if (ref !== undefined) drafts.push(toolExecuted(ref));
      }
    }
    // Only a few calls may wait at a time.
    while (waiting.length > 4) drafts.push(toolExecuted(waiting.shift() ?? ""));
  }
  return drafts;
}

/** Items in short: who said what, which calls were requested, and which results came. */
export const summarize = (items: readonly ContextItem[]): string[] =>
  items.map((item) => {
    if (item.role === "tool") return `${item.ref} -> ${item.output}`;
    if (item.role === "user") return `${item.source}: ${item.content}`;
    return item.calls.length === 0 ? `me: ${item.content}` : `ask ${item.calls.map(({ ref }) => ref).join(" ")}`;
  });
