import type { JsonRecord } from "../../../shared/json-record.ts";
import { unknownName } from "./nearest.ts";
import { asList, asRecord } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/** Unknown names in a graph: in the ends of its edges and in its entry. */
export function checkGraphNames(team: JsonRecord, names: readonly string[]): ValidationProblem[] {
  const { edges, entry } = asRecord(team["graph"]);
  const ends = asList(edges).flatMap((edge, at) =>
    ["from", "to"].map((end) => ({ name: asRecord(edge)[end], path: ["graph", "edges", at, end] })),
  );
  const entries =
    typeof entry === "string"
      ? [{ name: entry, path: ["graph", "entry"] }]
      : asList(entry).map((name, at) => ({ name, path: ["graph", "entry", at] }));
  return [...ends, ...entries].flatMap(({ name, path }): ValidationProblem[] =>
    typeof name !== "string" || names.includes(name) ? [] : [{ path, message: unknownName(name, names) }],
  );
}
