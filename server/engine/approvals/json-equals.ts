/** True for two values that are the same JSON: objects with the same fields in any order, lists with the same items in order. */
export function jsonEquals(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const fields = Object.entries(one);
  return (
    fields.length === Object.keys(other).length &&
    fields.every(
      ([key, value]) =>
        Object.hasOwn(other, key) && jsonEquals(value, (other as Readonly<Record<string, unknown>>)[key]),
    )
  );
}
