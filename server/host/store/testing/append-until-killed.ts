import { setImmediate } from "node:timers/promises";
import { Store } from "../store.ts";
import { sampleTeam } from "./sample-events.ts";

/**
 * A process that is made to be killed: it appends events and chunks, and prints the number of the last event that is
 * committed. It appends at most 2000 events, then waits, and it ends when its stdin does: when its parent is gone.
 */
process.stdin.resume().on("end", () => process.exit());
const store = new Store(process.argv[2]);
await store.teams.create("t", sampleTeam, undefined, new Date().toISOString());
const record = await store.teams.get("t");
if (record === undefined) throw new Error("The team was not made.");
const journal = store.journal(record);
const at = new Date().toISOString();
journal.append({ seq: 1, at, runId: "run", type: "run/started", cause: "run", task: "go" });
journal.append({ seq: 2, at, runId: "run", type: "message/started", messageId: "m", source: "ann" });
for (let seq = 3; seq <= 2000; seq++) {
  const delta = `${seq} `;
  journal.appendTransient({ at, runId: "run", type: "message/chunk", messageId: "m", source: "ann", delta });
  journal.append({ seq, at, runId: "run", type: "reasoning/thought", from: "ann", correlation_id: ["r"] });
  await journal.durable(seq);
  process.stdout.write(`${seq}\n`);
  await setImmediate();
}
