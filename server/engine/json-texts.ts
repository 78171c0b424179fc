import { isRecord } from "../../shared/json-record.ts";

/** Every string in a JSON value, at any depth, except for the names of fields. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
