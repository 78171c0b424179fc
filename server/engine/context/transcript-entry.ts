import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";

/** The entry that an event adds to the transcript. */
export function entryOf(
  event: Extract<TeamEvent, { type: "message/added" | "tool/requested" | "tool/executed" }>,
): TranscriptEntry {
  if (event.type === "message/added") return { kind: "message", message: event.message };
  if (event.type === "tool/executed")
    return { kind: "result", ref: event.ref, output: event.output, isError: event.isError };
  const { participant, calls, content } = event;
  return { kind: "calls", participant, calls, ...(content === undefined ? {} : { content }) };
}
