import { modelError } from "../../../../shared/contract/errors.ts";
import type { ContextItem, Model } from "../../model.ts";
import type { Floor } from "../manager.ts";
import { clip } from "../talk/clip.ts";
import type { Note, StepAt } from "./note.ts";
import { type Progress, progressSchema, readProgress } from "./progress-ledger.ts";
import { type Matter, misfitComplaint, progressQuestion } from "./prompts.ts";

/** How often the model is asked for a ledger that can be read. */
const MAX_TRIES = 5;

/** How many characters of an answer that could not be read are kept. */
const KEPT_ANSWER = 4_000;

export interface JudgeOptions {
  readonly model: Model;
  readonly matter: Matter;
  readonly names: readonly string[];
  readonly maxStalls: number;
}

/**
 * One question for the progress ledger, and what follows from the answer: the same question again, the next instruction, a new
 * plan, or the user's answer. Nothing when it was interrupted.
 * @throws GavelError `ModelError` when no answer could be read.
 */
export async function judge(
  floor: Floor,
  note: Note,
  { misfits }: StepAt<"progress">,
  { model, matter, names, maxStalls }: JudgeOptions,
): Promise<Note | undefined> {
  const { instructions, items } = progressQuestion(matter);
  const complaints = misfits.flatMap(({ answer, problem }): ContextItem[] => [
    { role: "assistant", content: answer, calls: [] },
    { role: "user", source: "user", content: misfitComplaint(problem) },
  ]);
  const output = { name: "progress_ledger", schema: progressSchema(names) };
  const answer = await floor.ask({
    model,
    instructions,
    items: [...items, ...complaints],
    output,
    purpose: "progress",
  });
  if (answer === undefined) return undefined;
  const reading = readProgress(answer, names);
  if ("progress" in reading) return after(floor, note, reading.progress, maxStalls);

  const { problem } = reading;
  if (misfits.length + 1 < MAX_TRIES) {
    const more = [...misfits, { answer: clip(answer, KEPT_ANSWER), problem: clip(problem, KEPT_ANSWER) }];
    return { ...note, step: { at: "progress", misfits: more } };
  }
  floor.note({ ...note, step: { at: "progress", misfits: [] } });
  throw modelError(
    `The orchestrator's model ${model.label} gave no progress ledger that could be read, in ${MAX_TRIES} tries; give the team ` +
      `one that keeps to JSON (\`magentic.model\`), or run it again. The last one: ${problem}`,
    { retryable: true, mend: "teamFile", model: model.label },
  );
}

function after(floor: Floor, note: Note, progress: Progress, maxStalls: number): Note {
  const thread = floor.messages.length;
  if (progress.satisfied) return { ...note, step: { at: "answer", reason: progress.reason, thread } };
  const { stalled, speaker, instruction } = progress;
  const stalls = stalled ? note.stalls + 1 : Math.max(0, note.stalls - 1);
  // A plan that nobody has acted on yet is no reason for another one: so it can not go on without end.
  const members = new Set(floor.state.participants.map(({ name }) => name));
  const isTried = floor.messages.slice(note.since).some(({ source }) => members.has(source));
  if (stalled && stalls >= maxStalls && isTried) return { ...note, stalls, step: { at: "facts" } };
  return { ...note, stalls, step: { at: "instruct", speaker, instruction: clip(instruction, KEPT_ANSWER), thread } };
}
