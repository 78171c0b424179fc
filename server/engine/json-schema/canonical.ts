import { isRecord } from "../../../shared/json-record.ts";
import { SchemaError } from "./schema-error.ts";

/** How deep a value may be nested that is compared with others. */
const MAX_DEPTH = 400;

/** JSON text that is the same for equal values, whatever the order of their keys. @throws SchemaError if it is too deep. */
export const canonical = (value: unknown): string => JSON.stringify(sorted(value, 0)) ?? "null";

/** Objects as lists of their sorted entries, marked so that they differ from lists. */
function sorted(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new SchemaError(`it compares values nested more than ${MAX_DEPTH} deep`);
  if (Array.isArray(value)) return ["list", ...value.map((item) => sorted(item, depth + 1))];
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return ["map", ...keys.map((key) => [key, sorted(value[key], depth + 1)])];
}
