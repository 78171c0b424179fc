/** The text with its middle left out where it is longer than `limit` characters: how it begins and how it ends matter most. */
export function clipText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = Math.max(0, limit - GAP.length);
  const head = Math.ceil(kept / 2);
  // A cut through a character of two code units would leave half of one, which endpoints refuse.
  return `${text.slice(0, head)}${GAP}${text.slice(text.length - (kept - head))}`.toWellFormed();
}

const GAP = "\n[…]\n";
