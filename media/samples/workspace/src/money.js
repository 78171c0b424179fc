/** Reads an amount such as "12.34" or "12" as cents, which are whole numbers and so add up exactly. */
export function parseCents(text) {
  const match = /^(\d{1,9})(?:\.(\d{2}))?$/.exec(text);
  if (match === null) throw new Error(`"${text}" is not an amount; write it like 12.34.`);
  return Number(match[1]) * 100 + Number(match[2] ?? 0);
}

/** Writes cents as an amount: 1234 becomes "12.34". */
export function formatCents(cents) {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
