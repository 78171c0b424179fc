import type { JsonRecord } from "../../../shared/json-record.ts";
import { unknownNames } from "./name-checks.ts";
import { asList, asRecord, asText } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/** Unknown names in a graph: in the ends of its edges and in its entry. */
export function checkGraphNames(team: JsonRecord, names: readonly string[]): ValidationProblem[] {
  const { edges, entry } = asRecord(team["graph"]);
  return [
    ...asList(edges).flatMap((edge, at) =>
      ["from", "to"].flatMap((end) => unknownNames(asText(asRecord(edge)[end]), ["graph", "edges", at, end], names)),
    ),
    ...unknownNames(entry, ["graph", "entry"], names),
  ];
}
