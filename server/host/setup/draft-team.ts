import { modelError } from "../../../shared/contract/errors.ts";
import type { Problem } from "../../../shared/contract/problem.ts";
import { draftText } from "../../../shared/draft-text.ts";
import type { ContextItem, Model } from "../../engine/index.ts";
import { FORMAT_GUIDE } from "./format-guide.ts";

/** A drafted team file, with what is still wrong with it. */
export interface TeamDraft {
  readonly text: string;
  readonly problems: readonly Problem[];
}

/** The longest answer that is read, in characters. */
const LONGEST = 100_000;

/** How many problems a model is told at once. */
const MAX_TOLD = 20;

/**
 * Has a model write a team file for a task. An answer with problems goes back to the model once.
 * @param check the problems of a team file's text.
 * @param written is called with each part of an answer, of the first attempt or the second.
 * @throws GavelError `ModelError`.
 */
export async function draftTeam(
  model: Model,
  task: string,
  check: (text: string) => readonly Problem[],
  written: (attempt: number, delta: string) => void,
  signal: AbortSignal,
): Promise<TeamDraft> {
  const asked: ContextItem = { role: "user", source: "user", content: `Write a team file for this task:\n\n${task}` };
  const first = await answer(model, [asked], (delta) => written(1, delta), signal);
  const problems = check(first);
  if (problems.length === 0 || signal.aborted) return { text: first, problems };
  const second = await answer(
    model,
    [
      asked,
      { role: "assistant", content: first, calls: [] },
      { role: "user", source: "user", content: tell(problems) },
    ],
    (delta) => written(2, delta),
    signal,
  );
  return { text: second, problems: check(second) };
}

async function answer(
  model: Model,
  items: readonly ContextItem[],
  written: (delta: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const request = { participant: "drafter", instructions: FORMAT_GUIDE, items, tools: [] };
  let text = "";
  for await (const part of model.stream(request, { signal, onRetry: () => undefined })) {
    if (part.type !== "text") continue;
    text += part.delta;
    written(part.delta);
    if (text.length > LONGEST) throw modelError("The model's answer is too long for a team file.", { retryable: true });
  }
  const file = draftText(text);
  if (file === "" && !signal.aborted)
    throw modelError("The model's answer is empty. Try again, or select another model.", { retryable: true });
  return file;
}

function tell(problems: readonly Problem[]): string {
  const lines = problems
    .slice(0, MAX_TOLD)
    .map(({ path, message, line }) => `- ${line === undefined ? "" : `line ${line}, `}${path}: ${message}`);
  return `The file has these problems:\n${lines.join("\n")}\n\nWrite the whole file again without them.`;
}
