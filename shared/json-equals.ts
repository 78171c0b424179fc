/** True for equal JSON values. The order of fields does not matter, the order of list items does. */
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
