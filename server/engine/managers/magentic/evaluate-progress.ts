import { modelError } from "../../../../shared/contract/errors.ts";
import type { ContextItem, Model } from "../../model.ts";
import { clipText } from "../conversation/clip-text.ts";
import type { SelectionContext } from "../manager.ts";
import type { Note, StepOf } from "./magentic-note.ts";
import { parseProgress, progressSchema, type TeamProgress } from "./progress-ledger.ts";
import { invalidLedgerMessage, progressQuestion, type TaskLedger } from "./prompts.ts";

/** How often the model is asked for a valid ledger. */
const MAX_ATTEMPTS = 5;

/** How many characters of an invalid answer are kept. */
const MAX_ANSWER_LENGTH = 4_000;

export interface EvaluationOptions {
  readonly model: Model;
  readonly ledger: TaskLedger;
  readonly names: readonly string[];
  readonly maxStalls: number;
}

/**
 * Asks once for the progress ledger and returns the next step: ask again, instruct a participant, collect new facts for a
 * new plan, or answer the user. Undefined when interrupted.
 * @throws GavelError `ModelError` when the last attempt is invalid too.
 */
export async function evaluateProgress(
  context: SelectionContext,
  note: Note,
  { misfits }: StepOf<"progress">,
  { model, ledger, names, maxStalls }: EvaluationOptions,
): Promise<Note | undefined> {
  const { instructions, items } = progressQuestion(ledger);
  const feedback = misfits.flatMap(({ answer, problem }): ContextItem[] => [
    { role: "assistant", content: answer, calls: [] },
    { role: "user", source: "user", content: invalidLedgerMessage(problem) },
  ]);
  const output = { name: "progress_ledger", schema: progressSchema(names) };
  const answer = await context.askModel({
    model,
    instructions,
    items: [...items, ...feedback],
    output,
    purpose: "progress",
  });
  if (answer === undefined) return undefined;
  const reading = parseProgress(answer, names);
  if ("progress" in reading) return nextNote(context, note, reading.progress, maxStalls);

  const { problem } = reading;
  if (misfits.length + 1 < MAX_ATTEMPTS) {
    const more = [
      ...misfits,
      { answer: clipText(answer, MAX_ANSWER_LENGTH), problem: clipText(problem, MAX_ANSWER_LENGTH) },
    ];
    return { ...note, step: { at: "progress", misfits: more } };
  }
  context.saveNote({ ...note, step: { at: "progress", misfits: [] } });
  throw modelError(
    `The orchestrator's model ${model.label} returned no valid progress ledger in ${MAX_ATTEMPTS} attempts. Run the team again, or ` +
      `set \`magentic.model\` to a model that returns JSON. The last problem: ${problem}`,
    { retryable: true, fix: "teamFile", model: model.label },
  );
}

function nextNote(context: SelectionContext, note: Note, progress: TeamProgress, maxStalls: number): Note {
  const thread = context.messages.length;
  if (progress.satisfied) return { ...note, step: { at: "answer", reason: progress.reason, thread } };
  const { stalled, speaker, instruction } = progress;
  const stalls = stalled ? note.stalls + 1 : Math.max(0, note.stalls - 1);
  // Without this, planning could repeat endlessly: a new plan is made only after a participant has acted on the last one.
  const members = new Set(context.state.participants.map(({ name }) => name));
  const isTried = context.messages.slice(note.since).some(({ source }) => members.has(source));
  if (stalled && stalls >= maxStalls && isTried) return { ...note, stalls, step: { at: "facts" } };
  return {
    ...note,
    stalls,
    step: { at: "instruct", speaker, instruction: clipText(instruction, MAX_ANSWER_LENGTH), thread },
  };
}
