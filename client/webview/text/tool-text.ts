import { isRecord } from "../../../shared/json-record.ts";
import { visibleLines } from "../../common/visible-text.ts";

const MAX_SHORT = 160;

/** A call's input in a few words: the values alone, as they stand. */
export function shortInput(input: unknown): string {
  const text = isRecord(input) ? Object.values(input).map(valueText).join(" · ") : valueText(input);
  const line = visibleLines(text.replace(/\s+/g, " ").trim());
  return line.length > MAX_SHORT ? `${line.slice(0, MAX_SHORT - 1)}…` : line;
}

/** Any value to read: a text as it is, anything else as JSON. */
export function fullText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** A call whose input is a command line and perhaps more: the command is read as one, the rest as JSON. */
export function splitCommand(input: unknown): { readonly command: string; readonly rest: string } | null {
  if (!isRecord(input) || typeof input["command"] !== "string") return null;
  const { command, ...rest } = input;
  return { command: String(command), rest: Object.keys(rest).length === 0 ? "" : fullText(rest) };
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
