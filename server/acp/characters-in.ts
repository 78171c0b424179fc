/** How many characters the texts in a JSON value have, names included; each other part counts as one. */
export function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, part]) => sum + name.length + charactersIn(part), 1);
}
