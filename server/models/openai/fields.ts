/** A string that an endpoint sent, or empty for anything else. */
export const stringOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");

/** The arguments of a tool call as JSON text: some endpoints send them as an object. */
export function argumentsJson(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}
