import type { PracticeLine, PracticeModel } from "../../../shared/contract/definition.ts";
import { afterAnswer, afterPartial, NO_PROGRESS } from "../../engine/context/model-progress.ts";
import type { ContextItem, ModelCall, ModelProgress, ModelRequest } from "../../engine/model.ts";

/** The next text and tool calls of a practice participant: a whole step, or the rest of an interrupted one. */
export interface PracticeStep {
  readonly say: string;
  readonly calls: readonly ModelCall[];
}

/** The start of the answer when a script has run out. It does not count as a step, because the script may be extended. */
export const OUT_OF_LINES = "The practice model has no more lines for ";

/**
 * The next step, derived from how far the participant has come, or undefined when its script has run out. A message that the
 * user sent to it alone is answered from `asked`, and when `asked` has nothing left, from `lines`.
 */
export function nextStep(
  definition: PracticeModel,
  { participant, items, progress = progressIn(items, participant) }: ModelRequest,
): PracticeStep | undefined {
  const { conversation, directed, isDirected, interruptedAfter } = progress;
  const answers = scriptOf(definition.asked, participant);
  if (isDirected && directed.answers < answers.length) return stepOf(answers[directed.answers], directed.partialText);

  const beyondAnswers = (count: number): number => Math.max(0, count - answers.length);
  const played = conversation.answers + beyondAnswers(directed.answers) - items.filter(isOutOfLines).length;
  // An answer that came from `lines` has already completed the interrupted line.
  const cut = beyondAnswers(interruptedAfter) === beyondAnswers(directed.answers) ? conversation.partialText : "";
  return stepOf(
    scriptOf(definition.lines, participant)[Math.max(0, played)],
    isDirected ? cut + directed.partialText : cut,
  );
}

/** How far the participant has come, according to the items alone. */
function progressIn(items: readonly ContextItem[], participant: string): ModelProgress {
  let progress = NO_PROGRESS;
  for (const item of items) {
    if (item.role === "user") progress = { ...progress, isDirected: item.directedTo === participant };
    if (item.role !== "assistant") continue;
    const { calls, content, partial } = item;
    if (partial === true && calls.length === 0) progress = afterPartial(progress, content);
    else progress = afterAnswer(progress, calls.length === 0 ? "message" : "calls");
  }
  return progress;
}

function stepOf(line: PracticeLine | undefined, spoken: string): PracticeStep | undefined {
  if (line === undefined) return undefined;
  const { say = "", calls = [] } = typeof line === "string" ? { say: line } : line;
  return {
    // When the script was changed in the meantime, the step is played from its start.
    say: say.startsWith(spoken) ? say.slice(spoken.length) : say,
    calls: calls.map(({ tool, input }) => ({ name: tool, arguments: JSON.stringify(input ?? {}) })),
  };
}

const isOutOfLines = (item: ContextItem): boolean => item.role === "assistant" && item.content.startsWith(OUT_OF_LINES);

/** Own properties only: a participant may be called `constructor`. */
function scriptOf(scripts: PracticeModel["lines"], participant: string): readonly PracticeLine[] {
  return scripts !== undefined && Object.hasOwn(scripts, participant) ? (scripts[participant] ?? []) : [];
}
