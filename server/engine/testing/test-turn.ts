import { NO_PROGRESS } from "../context/model-progress.ts";
import type { Turn } from "../participants/participant.ts";

/** A turn of a participant outside a team. */
export function testTurn(more: Partial<Turn> = {}): Turn {
  const never = new AbortController().signal;
  return {
    id: "turn",
    earlier: [],
    items: [],
    steps: [],
    progress: NO_PROGRESS,
    notes: [],
    thread: [],
    signal: never,
    soft: never,
    emit: () => {},
    requestCalls: async ({ calls }) => calls.map(({ id = "", name }) => ({ ref: id, name, input: {} })),
    olderPart: async () => undefined,
    recordSummary: async () => undefined,
    runCalls: async (calls) => calls.map(({ ref }) => ({ kind: "done", ref, output: "out", isError: false })),
    ...more,
  };
}
