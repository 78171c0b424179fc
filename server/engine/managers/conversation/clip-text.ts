/** The text, without its middle when it is longer than `limit` characters: beginning and end matter most. */
export function clipText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = Math.max(0, limit - GAP.length);
  const head = Math.ceil(kept / 2);
  // A cut inside a surrogate pair would leave half a character, which endpoints reject.
  return `${text.slice(0, head)}${GAP}${text.slice(text.length - (kept - head))}`.toWellFormed();
}

const GAP = "\n[…]\n";
