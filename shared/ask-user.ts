import { isRecord } from "./json-record.ts";

/** The tool with which a participant asks the user. */
export const ASK_USER = "askUser";

/** One answer that the user can choose. */
export interface UserChoice {
  readonly label: string;
  readonly description?: string;
}

/** What a call of {@link ASK_USER} asks. The user can also answer in their own words. */
export interface ChoiceQuestion {
  readonly question: string;
  readonly choices: readonly UserChoice[];
  /** Several choices can be chosen together. */
  readonly several: boolean;
}

/** The `interrupt` of a call that waits for the answer. */
export const askingInterrupt = (question: ChoiceQuestion) => ({ kind: ASK_USER, ...question });

/** The question of a pending call, if it is one of the host's own tool. */
export function choiceQuestionOf(call: {
  readonly name: string;
  readonly interrupt?: unknown;
}): ChoiceQuestion | undefined {
  const { interrupt } = call;
  if (call.name !== ASK_USER || !isRecord(interrupt) || interrupt["kind"] !== ASK_USER) return undefined;
  const { question, choices, several } = interrupt;
  if (typeof question !== "string" || !Array.isArray(choices) || !choices.every(isChoice)) return undefined;
  return { question, choices, several: several === true };
}

function isChoice(value: unknown): value is UserChoice {
  if (!isRecord(value) || typeof value["label"] !== "string") return false;
  return value["description"] === undefined || typeof value["description"] === "string";
}

/** The answer for the participant: the labels that were chosen, and what the user wrote. */
export function answerText(chosen: readonly string[], text: string): string {
  const written = text.trim();
  if (chosen.length === 0) return written;
  const [only] = chosen;
  const labels = only !== undefined && chosen.length === 1 ? only : chosen.map((label) => `- ${label}`).join("\n");
  return written === "" ? labels : `${labels}\n\n${written}`;
}
