/** A new id for a message, a run or a call: `prefix` and 16 random hex digits. */
export function newId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint32Array(2));
  return `${prefix}_${hex(bytes[0])}${hex(bytes[1])}`;
}

const hex = (word: number | undefined): string => (word ?? 0).toString(16).padStart(8, "0");
