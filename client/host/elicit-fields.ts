import type { ElicitField } from "../../shared/contract/mcp-question.ts";

const FORMATS: Readonly<Record<string, readonly [fits: (text: string) => boolean, what: string]>> = {
  email: [(text) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text), "an email address"],
  uri: [(text) => URL.canParse(text), "an address, such as https://example.com"],
  date: [(text) => /^\d{4}-\d\d-\d\d$/.test(text) && isTime(text), "a date, such as 2026-01-31"],
  "date-time": [(text) => text.includes("T") && isTime(text), "a date and time, such as 2026-01-31T12:00:00Z"],
};

/** What is wrong with the text of a field, as a sentence; undefined if it can be sent. */
export function fieldProblem(field: ElicitField, text: string): string | undefined {
  const { type, required, format, minimum, maximum } = field;
  if (text === "") return required ? "Enter a value." : undefined;
  if (type === "number" || type === "integer") {
    const number = Number(text);
    const isNumber = text.trim() !== "" && Number.isFinite(number) && (type === "number" || Number.isInteger(number));
    if (!isNumber) return type === "integer" ? "Enter a whole number." : "Enter a number.";
    return outside(number, minimum, maximum, "Enter a number");
  }
  const [fits, what] = FORMATS[format ?? ""] ?? [];
  if (fits?.(text) === false) return `Enter ${what}.`;
  return outside([...text].length, minimum, maximum, "Enter a text whose number of characters is");
}

/** The value that is sent; undefined for none. */
export function fieldValue({ type }: ElicitField, text: string): string | number | undefined {
  if (text === "") return undefined;
  return type === "number" || type === "integer" ? Number(text) : text;
}

function outside(value: number, minimum: number | undefined, maximum: number | undefined, start: string) {
  if (minimum !== undefined && value < minimum) return `${start} not less than ${minimum}.`;
  return maximum !== undefined && value > maximum ? `${start} not more than ${maximum}.` : undefined;
}

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text));
