import { isRecord } from "./json-record.ts";

/** A result that waits for the user's review. */
export interface WaitingResult {
  readonly output: unknown;
  readonly isError: boolean;
}

/** The `interrupt` of a call whose result waits for review. Clients that know nothing of reviews show it as a question. */
export const reviewInterrupt = (tool: string, participant: string, { output, isError }: WaitingResult) => ({
  kind: "review",
  question: `This is the result of ${tool}. ${participant} gets what you answer in its place.`,
  output,
  isError,
});

/** The result of a pending call that waits for review; undefined for a call that waits for something else. */
export function waitingResultOf(call: {
  readonly review?: true | undefined;
  readonly interrupt?: unknown;
}): WaitingResult | undefined {
  if (call.review !== true || !isRecord(call.interrupt)) return undefined;
  const { output, isError } = call.interrupt;
  return { output: output ?? null, isError: isError === true };
}

/** The result as a text that the user reads and edits. */
export const resultText = (output: unknown): string =>
  typeof output === "string" ? output : (JSON.stringify(output, null, 2) ?? "");

/**
 * The result that a text stands for, in place of `before`: JSON if that was no text.
 * @throws SyntaxError for a text that is no JSON then.
 */
export function editedResult(before: unknown, text: string): unknown {
  return typeof before === "string" ? text : JSON.parse(text);
}
