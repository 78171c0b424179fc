import assert from "node:assert/strict";
import type { DurableEvent } from "../../../../shared/contract/event.ts";
import type { TeamRecord } from "../records/team-records.ts";
import { Store } from "../store.ts";
import { sampleTeam } from "./sample-events.ts";

const at = "2026-01-01T00:00:00.000Z";

/** A store in the folder, and one team in it, whose events these are. */
export async function storedTeam(
  folder: string,
  events: readonly DurableEvent[],
): Promise<{ readonly store: Store; readonly record: TeamRecord } & Disposable> {
  const store = new Store(folder);
  await store.ready();
  await store.teams.create("t", sampleTeam, undefined, at);
  const record = await store.teams.get("t");
  assert.ok(record);
  const journal = store.journal(record);
  for (const event of events) journal.append(event);
  await store.settled();
  return { store, record, [Symbol.dispose]: () => store[Symbol.dispose]() };
}

/** A message of one participant, as an event. */
export const messageEvent = (seq: number, content: string): DurableEvent => ({
  seq,
  at,
  type: "message/added",
  message: { id: `m${seq}`, type: "TextMessage", source: "ann", content, createdAt: at },
});
