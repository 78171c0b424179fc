/** How deep a value from outside may be nested. Deeper values overflow the stack of what works with them. */
export const MAX_DEPTH = 200;

/** Whether lists and maps are nested more than `limit` deep in plain JSON. */
export function isNestedBeyond(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= limit && level.length > 0; depth++) {
    level = level.flatMap((item): unknown[] => (typeof item === "object" && item !== null ? Object.values(item) : []));
    level = level.filter((item) => typeof item === "object" && item !== null);
  }
  return level.length > 0;
}
