/** A text that an endpoint sent, empty for anything else. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The arguments of a tool call as JSON text: some endpoints give them as an object, already read. */
export function argumentsOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : "";
}
