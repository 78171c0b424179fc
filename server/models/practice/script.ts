import type { PracticeLine, PracticeModel } from "../../../shared/contract/definition.ts";
import { afterAnswer, afterPartial, NO_PROGRESS } from "../../engine/context/model-progress.ts";
import type { ContextItem, ModelCall, ModelProgress, ModelRequest } from "../../engine/model.ts";

/** What a practice participant says and asks of tools next: the whole of a step, or what an interrupt had left of it. */
export interface PracticeStep {
  readonly say: string;
  readonly calls: readonly ModelCall[];
}

/** How the line begins that says that a script has run out. It is no step of the script, which may since have been continued. */
export const OUT_OF_LINES = "The practice model has no more lines for ";

/**
 * The step that comes next, worked out from how far the participant has come, or undefined when its script has run out. A
 * message that the user sent to it alone is answered from `asked`, and where `asked` has nothing left, from `lines`.
 */
export function nextStep(
  definition: PracticeModel,
  { participant, items, progress = progressIn(items, participant) }: ModelRequest,
): PracticeStep | undefined {
  const { talk, asked, isAsked, cutAfter } = progress;
  const answers = scriptOf(definition.asked, participant);
  if (isAsked && asked.steps < answers.length) return stepOf(answers[asked.steps], asked.said);

  const beyondAnswers = (count: number): number => Math.max(0, count - answers.length);
  const played = talk.steps + beyondAnswers(asked.steps) - items.filter(isOutOfLines).length;
  // What was cut short has been ended by an answer that `asked` had nothing for.
  const cut = beyondAnswers(cutAfter) === beyondAnswers(asked.steps) ? talk.said : "";
  return stepOf(scriptOf(definition.lines, participant)[Math.max(0, played)], isAsked ? cut + asked.said : cut);
}

/** How far the participant has come, as far as the items show it. */
function progressIn(items: readonly ContextItem[], participant: string): ModelProgress {
  let progress = NO_PROGRESS;
  for (const item of items) {
    if (item.role === "user") progress = { ...progress, isAsked: item.directedTo === participant };
    if (item.role !== "assistant") continue;
    const { calls, content, partial } = item;
    if (partial === true && calls.length === 0) progress = afterPartial(progress, content);
    else progress = afterAnswer(progress, calls.length === 0 ? "message" : "calls");
  }
  return progress;
}

function stepOf(line: PracticeLine | undefined, said: string): PracticeStep | undefined {
  if (line === undefined) return undefined;
  const { say = "", calls = [] } = typeof line === "string" ? { say: line } : line;
  return {
    // A script that was changed meanwhile is played from the step's beginning.
    say: say.startsWith(said) ? say.slice(said.length) : say,
    calls: calls.map(({ tool, input }) => ({ name: tool, arguments: JSON.stringify(input ?? {}) })),
  };
}

const isOutOfLines = (item: ContextItem): boolean => item.role === "assistant" && item.content.startsWith(OUT_OF_LINES);

/** A participant may be called `constructor`. */
function scriptOf(scripts: PracticeModel["lines"], participant: string): readonly PracticeLine[] {
  return scripts !== undefined && Object.hasOwn(scripts, participant) ? (scripts[participant] ?? []) : [];
}
