import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import { itemOf, messageIdOf, withinRun } from "./fold-message.ts";
import type { CallView, TimelineItem } from "./items.ts";
import type { TimelineDraft } from "./timeline-draft.ts";

/**
 * Shows the thread of a loaded state. Where it is that of the rows above, as after the user has gone back to an earlier
 * message, the rows after the last common message go, and what the thread has more is added. Any other thread is added
 * below, with a note.
 */
export function showLoaded(
  draft: TimelineDraft,
  key: string,
  at: string,
  transcript: readonly TranscriptEntry[],
): void {
  const ids = transcript.flatMap((entry) => (entry.kind === "message" ? entry.message.id : []));
  const known = new Set(ids);
  const isShared = (item: TimelineItem): boolean => item.kind === "message" && known.has(messageIdOf(item.key));
  const isSameThread = ids.length === 0 || draft.items.some(isShared);
  if (!isSameThread) {
    draft.push({ kind: "note", key, at, note: "loaded" });
    for (const id of ids) if (!draft.began.has(id)) draft.began.set(id, false);
    addEntries(draft, key, transcript);
    return;
  }
  const foreign = draft.items.findIndex((item) => item.kind === "message" && !isShared(item));
  if (foreign !== -1 || ids.length === 0) {
    draft.cut(foreign === -1 ? 0 : foreign);
    draft.push({ kind: "note", key, at, note: "restored" });
    return;
  }
  if (draft.last?.kind === "note" && draft.last.note === "restored") draft.cut(draft.items.length - 1);
  const last = draft.items.findLast(isShared);
  const from = transcript.findIndex((entry) => messageId(entry) === messageIdOf(last?.key ?? "")) + 1;
  addEntries(draft, key, transcript.slice(from));
}

const messageId = (entry: TranscriptEntry): string | undefined =>
  entry.kind === "message" ? entry.message.id : undefined;

/** Messages, and tool calls with their results. */
function addEntries(draft: TimelineDraft, key: string, entries: readonly TranscriptEntry[]): void {
  let at = entries.find((entry) => entry.kind === "message")?.message.createdAt ?? "";
  for (const entry of entries) {
    switch (entry.kind) {
      case "message":
        at = entry.message.createdAt;
        draft.push(itemOf(entry.message, { key: `${key}-${entry.message.id}`, ...withinRun(draft, entry.message) }));
        break;
      case "calls": {
        const calls = entry.calls.map((call): CallView => ({ ...call, state: "requested" }));
        draft.addCalls(`${key}-${calls[0]?.ref ?? ""}`, at, entry.participant, calls);
        break;
      }
      case "result": {
        const { ref, output, isError } = entry;
        draft.changeCall(ref, (call) => ({ ...call, output, state: isError ? "failed" : "succeeded" }));
        draft.calls.delete(ref);
      }
    }
  }
}
