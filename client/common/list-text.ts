/** Names as one says them: `ann`, `ann and bob`, `ann, bob and cat`. */
export function listText(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
