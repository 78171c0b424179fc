import * as z from "zod";
import { isRecord } from "../../../../shared/json-record.ts";
import { findNames } from "../conversation/find-names.ts";
import { withoutReasoning } from "../conversation/without-reasoning.ts";
import { findJsonObjects } from "./json-objects.ts";

/** The orchestrator's assessment after a turn. */
export type TeamProgress =
  | { readonly satisfied: true; readonly reason: string }
  | {
      readonly satisfied: false;
      /** True when the team made no progress, or repeats itself. */
      readonly stalled: boolean;
      readonly speaker: string;
      readonly instruction: string;
    };

/** A parsed ledger, or what is wrong with the answer, as feedback for the model. */
export type ParsedProgress = { readonly progress: TeamProgress } | { readonly problem: string };

/** The reason of a finished task when the model gives none. */
const DEFAULT_REASON = "The request is satisfied.";

/** The questions of the ledger, under AutoGen's keys. */
const QUESTIONS = {
  is_request_satisfied: "Is the user's request fully and correctly answered? (true or false)",
  is_in_loop: "Is the team repeating the same requests or answers? (true or false)",
  is_progress_being_made: "Did the latest messages bring the team closer to the answer? (true or false)",
  next_speaker: "Which team member should act next? (the member's name)",
  instruction_or_question:
    "What should this member be told or asked? Include everything that the member needs to know.",
} as const;

/** The questions for the prompt, one per line. */
export const questionsText = (): string =>
  Object.entries(QUESTIONS)
    .map(([key, question]) => `- ${key}: ${question}`)
    .join("\n");

/** The JSON Schema of the ledger: a reason and an answer for each question. */
export function progressSchema(names: readonly string[]): Record<string, unknown> {
  const truth = { type: "boolean" };
  const entries: Record<keyof typeof QUESTIONS, Record<string, unknown>> = {
    is_request_satisfied: truth,
    is_in_loop: truth,
    is_progress_being_made: truth,
    next_speaker: { type: "string", enum: [...names] },
    instruction_or_question: { type: "string" },
  };
  const properties = Object.fromEntries(
    Object.entries(entries).map(([key, answer]) => [key, closed({ reason: { type: "string" }, answer })]),
  );
  return closed(properties);
}

const closed = (properties: Record<string, unknown>): Record<string, unknown> => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Parses a ledger, also inside a code fence or other text. In a team of one, that participant is next. */
export function parseProgress(answer: string, names: readonly string[]): ParsedProgress {
  const objects = findJsonObjects(withoutReasoning(answer));
  const object = objects.findLast((candidate) => "is_request_satisfied" in candidate) ?? objects.at(-1);
  if (object === undefined) return { problem: "The answer contains no JSON object." };
  const done = Satisfied.safeParse(object);
  if (!done.success) return { problem: problemOf(done.error) };
  const { answer: satisfied, reason } = done.data.is_request_satisfied;
  if (satisfied) return { progress: { satisfied, reason: reason === "" ? DEFAULT_REASON : reason } };

  const [only, ...more] = names;
  const open = Unsatisfied.safeParse(
    only !== undefined && more.length === 0 ? { ...object, next_speaker: only } : object,
  );
  if (!open.success) return { problem: problemOf(open.error) };
  const { is_in_loop, is_progress_being_made, next_speaker, instruction_or_question } = open.data;
  const [speaker, ...others] = findNames(next_speaker.answer, names);
  if (speaker === undefined || others.length > 0) {
    return { problem: `next_speaker is "${next_speaker.answer}" but must be one of ${names.join(", ")}.` };
  }
  const stalled = is_in_loop.answer || !is_progress_being_made.answer;
  return { progress: { satisfied, stalled, speaker, instruction: instruction_or_question.answer } };
}

/** An answer with its reason, which models may omit. */
const entry = <T extends z.ZodType>(answer: T) =>
  z.preprocess(
    (given) => (isRecord(given) ? given : { answer: given }),
    z.object({ reason: z.string().trim().catch(""), answer }),
  );

/** A boolean, which models also write as text. */
const truth = z.preprocess((given) => {
  if (typeof given !== "string") return given;
  const text = given.trim().toLowerCase();
  return text === "true" || text === "yes" ? true : text === "false" || text === "no" ? false : given;
}, z.boolean());

const words = z.string().trim().min(1);

const Satisfied = z.object({ is_request_satisfied: entry(truth) });

const Unsatisfied = z.object({
  is_in_loop: entry(truth),
  is_progress_being_made: entry(truth),
  next_speaker: entry(words),
  instruction_or_question: entry(words),
});

const problemOf = ({ issues }: z.ZodError): string =>
  `${issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ")}.`;
