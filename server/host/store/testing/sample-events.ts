import type { TeamDefinition } from "../../../../shared/contract/definition.ts";
import type { DurableEvent } from "../../../../shared/contract/event.ts";

/** A team for tests of the store, which never speaks. */
export const sampleTeam: TeamDefinition = {
  name: "Talk",
  kind: "roundRobin",
  participants: [{ name: "ann" }, { name: "bob" }],
  models: { default: { provider: "practice" } },
};

const at = "2026-01-01T00:00:00.000Z";

/** The events of one run in which each participant speaks `turns` times, from the `seq` that is given. */
export function* sampleRun(turns: number, from = 1): Generator<DurableEvent, void, undefined> {
  let seq = from;
  const runId = `run${from}`;
  const place = (): { seq: number; at: string; runId: string } => ({ seq: seq++, at, runId });
  yield { ...place(), type: "run/started", cause: "run", task: "go" };
  for (let turn = 0; turn < turns; turn++) {
    for (const source of ["ann", "bob"]) {
      const id = `turn${seq}`;
      const messageId = `message${seq}`;
      yield { ...place(), type: "speaker/selected", participants: [source] };
      yield { ...place(), type: "reasoning/start", id, from: source, input: "" };
      yield { ...place(), type: "message/started", messageId, source };
      const message = { id: messageId, type: "TextMessage" as const, source, content: `Turn ${turn}.`, createdAt: at };
      yield { ...place(), type: "message/added", message };
      yield { ...place(), type: "reasoning/conclusion", from: source, correlation_id: [id] };
    }
  }
  const status = { code: "success" as const };
  yield { ...place(), type: "run/ended", stopReason: null, status, usage: { prompt: 0, completion: 0, total: 0 } };
}
