/** `alice`, `alice and bob`, `alice, bob and carol`. */
export function listOf(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** `10:42`, in the reader's own way. */
export function timeOf(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return "";
  return time.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}

/** How long ago, in words, for a list of stored teams. */
export function agoOf(at: string, now: number): string {
  const minutes = Math.round((now - new Date(at).getTime()) / 60_000);
  if (Number.isNaN(minutes)) return "";
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  return new Date(at).toLocaleDateString();
}

/** `1 message`, `3 messages`. */
export function counted(count: number, thing: string): string {
  return `${count.toLocaleString()} ${thing}${count === 1 ? "" : "s"}`;
}

/** Seconds without needless digits: `2 s`, `0.5 s`. */
export function secondsOf(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(1))} s`;
}
