import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import { withField } from "./long-text.ts";

/** The entry that an event adds to the transcript. */
export function entryOf(
  event: Extract<TeamEvent, { type: "message/added" | "tool/requested" | "tool/executed" }>,
): TranscriptEntry {
  if (event.type === "message/added") return { kind: "message", message: event.message };
  if (event.type === "tool/executed") {
    const { ref, isError } = event;
    return withField<TranscriptEntry & { kind: "result" }>(
      { kind: "result", ref, output: null, isError },
      event,
      "output",
    );
  }
  const { participant, calls } = event;
  return "content" in event
    ? withField<TranscriptEntry & { kind: "calls" }>(
        { kind: "calls", participant, calls, content: "" },
        event,
        "content",
      )
    : { kind: "calls", participant, calls };
}
