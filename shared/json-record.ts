/** A JSON object whose fields have not been checked. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The value of a key; undefined if the record does not have it, also for names that every object inherits. */
export function ownValue<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Whether a value is an object, and not an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
