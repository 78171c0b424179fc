import type { JsonRecord } from "../../../shared/json-record.ts";
import type { Fault } from "./fault.ts";
import { nobody } from "./nearest.ts";
import { listOf, recordOf } from "./raw.ts";

/** References to nobody in a graph: the ends of its edges, and who begins. */
export function flowFaults(team: JsonRecord, names: readonly string[]): Fault[] {
  const { edges, entry } = recordOf(team["graph"]);
  const ends = listOf(edges).flatMap((edge, at) =>
    ["from", "to"].map((end) => ({ name: recordOf(edge)[end], path: ["graph", "edges", at, end] })),
  );
  const entries =
    typeof entry === "string"
      ? [{ name: entry, path: ["graph", "entry"] }]
      : listOf(entry).map((name, at) => ({ name, path: ["graph", "entry", at] }));
  return [...ends, ...entries].flatMap(({ name, path }): Fault[] =>
    typeof name !== "string" || names.includes(name) ? [] : [{ path, message: nobody(name, names) }],
  );
}
