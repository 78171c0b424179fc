import type { TeamEvent } from "../../../shared/contract/event.ts";
import { keyOf } from "./fold-message.ts";
import type { ThoughtItem } from "./items.ts";
import { NEAR_END, type TimelineDraft } from "./timeline-draft.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;

/** Adds a piece to the thought that a participant is having. */
export function streamThought(draft: TimelineDraft, event: EventOf<"reasoning/chunk">): void {
  const { from: source, correlation_id, delta, at } = event;
  draft.endRetry(source);
  const index = liveThought(draft, source);
  const item = draft.items[index];
  if (item?.kind === "thought" && item.live === "streaming") {
    draft.items[index] = { ...item, text: item.text + delta };
    return;
  }
  if (delta.trim() === "") return;
  const key = `thought-${correlation_id.join()}-${draft.items.length}`;
  draft.push({ kind: "thought", key, at, source, text: delta, live: "streaming" });
}

/** Something else of a participant came: its thought is complete. */
export function endThought(draft: TimelineDraft, source: string): void {
  const index = liveThought(draft, source);
  const item = draft.items[index];
  if (item?.kind === "thought") draft.items[index] = { ...item, live: "ended" };
}

/** The participant's turn is over: what is not recorded of its thought by now is not kept. */
export function dropThought(draft: TimelineDraft, source: string): void {
  takeStreamed(draft, source);
}

/** Adds a whole thought, in place of what was streamed of it, before the message that it led to. */
export function recordThought(draft: TimelineDraft, event: EventOf<"reasoning/thought">): void {
  const { from: source, message, at } = event;
  const streamed = takeStreamed(draft, source);
  if (message === undefined || message.trim() === "") return;
  // Others can be speaking at the same time.
  const latest = draft.items.findLastIndex((item) => item.kind === "message" && item.source === source);
  const open = draft.items[latest];
  const streaming = open?.kind === "message" && open.state === "streaming";
  // A step's text can come as a thought too. It is shown once, as the message.
  if (open?.kind === "message" && open.text === message && (streaming || open === draft.last)) return;
  const index = streaming ? latest : draft.items.length;
  const before = draft.items[index - 1];
  if (before?.kind === "thought" && before.source === source) {
    draft.items[index - 1] = { ...before, text: `${before.text}\n\n${message}` };
  } else {
    const key = streamed?.key ?? keyOf(event);
    draft.items.splice(index, 0, { kind: "thought", key, at, source, text: message });
  }
}

/** Removes what was streamed of a participant's step: thoughts before and after its text. @returns the first. */
function takeStreamed(draft: TimelineDraft, source: string): ThoughtItem | undefined {
  let taken: ThoughtItem | undefined;
  for (let index = liveThought(draft, source); index !== -1; index = liveThought(draft, source)) {
    const [item] = draft.items.splice(index, 1);
    if (item?.kind === "thought") taken = item;
  }
  return taken;
}

/** The index of the thought of a participant that is not recorded yet; -1 when there is none. */
function liveThought({ items }: TimelineDraft, source: string): number {
  for (let index = items.length - 1; index >= Math.max(0, items.length - NEAR_END); index--) {
    const item = items[index];
    if (item?.kind === "thought" && item.source === source && item.live !== undefined) return index;
  }
  return -1;
}
