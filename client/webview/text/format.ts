/** `10:42`, in the reader's own way. */
export function timeText(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return "";
  return time.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}

/** `1 message`, `3 messages`. */
export function countText(count: number, thing: string): string {
  return `${count.toLocaleString()} ${thing}${count === 1 ? "" : "s"}`;
}

/** Seconds without needless digits: `2 s`, `0.5 s`. */
export function secondsText(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(1))} s`;
}
