/** Whether something that an endpoint sent is an object, whose fields can then be looked at. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A text that an endpoint sent, empty for anything else. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The arguments of a tool call as JSON text: some endpoints give them as an object, already read. */
export function argumentsOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}
