import { firstLine } from "../../../shared/contract/message-text.ts";

/** The time of day in the user's locale: `10:42`; empty for an invalid date. */
export function timeText(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return "";
  return time.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}

/** Milliseconds as seconds with at most one decimal: `2 s`, `0.5 s`. */
export function secondsText(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(1))} s`;
}

/** The first line of a Markdown text, without the marks of emphasis, code and headings. */
export function plainFirstLine(markdown: string): string {
  return firstLine(markdown).replace(/[*_`#]/g, "");
}
