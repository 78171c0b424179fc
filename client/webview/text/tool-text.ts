import { isRecord } from "../../../shared/json-record.ts";
import { visibleLines } from "../../../shared/text/visible-text.ts";

const MAX_SHORT = 160;

/** A call's input on one line, at most {@link MAX_SHORT} characters: the values without their keys. */
export function shortInput(input: unknown): string {
  const text = isRecord(input) ? Object.values(input).map(valueText).join(" · ") : valueText(input);
  const line = visibleLines(text.replace(/\s+/g, " ").trim());
  return line.length > MAX_SHORT ? `${line.slice(0, MAX_SHORT - 1)}…` : line;
}

/** A value to read: a string as it is, anything else as indented JSON. */
export function fullText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
