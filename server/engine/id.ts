/** A new id for a message, a run or a call: `prefix` and 16 random hex digits. */
export function newId(prefix: string): string {
  // The ends of a UUID of version 4 are random. Its bytes are drawn for many at a time.
  const uuid = crypto.randomUUID();
  return `${prefix}_${uuid.slice(0, 8)}${uuid.slice(-8)}`;
}
