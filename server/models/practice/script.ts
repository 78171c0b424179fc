import type { PracticeLine, PracticeModel } from "../../../shared/contract/definition.ts";
import type { ContextItem, ModelCall } from "../../engine/model.ts";

/** What a practice participant says and asks of tools next: the whole of a step, or what an interrupt had left of it. */
export interface PracticeStep {
  readonly say: string;
  readonly calls: readonly ModelCall[];
}

/** How the line begins that says that a script has run out. It is no step of the script, which may since have been continued. */
export const OUT_OF_LINES = "The practice model has no more lines for ";

/** How far a script has been played: whole steps, and what of the next one was said before an interrupt. */
interface Progress {
  readonly lines: readonly PracticeLine[];
  step: number;
  said: string;
}

/**
 * The step that comes next, worked out from what the participant has said and asked so far, or undefined when its
 * script has run out. A message that the user sent to it alone is answered from `asked`, once, and where `asked` has
 * nothing left, from `lines`.
 */
export function nextStep(
  definition: PracticeModel,
  participant: string,
  items: readonly ContextItem[],
): PracticeStep | undefined {
  const lines: Progress = { lines: scriptOf(definition.lines, participant), step: 0, said: "" };
  const asked: Progress = { lines: scriptOf(definition.asked, participant), step: 0, said: "" };
  let isAsked = false;
  const current = (): Progress => (isAsked && asked.step < asked.lines.length ? asked : lines);
  for (const item of items) {
    if (item.role === "user") isAsked = item.directedTo === participant;
    if (item.role !== "assistant" || item.content.startsWith(OUT_OF_LINES)) continue;
    play(current(), item);
    if (item.partial !== true && item.calls.length === 0) isAsked = false;
  }
  return stepOf(current());
}

function play(progress: Progress, item: Extract<ContextItem, { readonly role: "assistant" }>): void {
  if (item.partial === true && item.calls.length === 0) {
    progress.said += item.content;
  } else {
    progress.step += 1;
    progress.said = "";
  }
}

function stepOf({ lines, step, said }: Progress): PracticeStep | undefined {
  const line = lines[step];
  if (line === undefined) return undefined;
  const { say = "", calls = [] } = typeof line === "string" ? { say: line } : line;
  return {
    // A script that was changed meanwhile is played from the step's beginning.
    say: say.startsWith(said) ? say.slice(said.length) : say,
    calls: calls.map(({ tool, input }) => ({ name: tool, arguments: JSON.stringify(input ?? {}) })),
  };
}

/** A participant may be called `constructor`. */
function scriptOf(scripts: PracticeModel["lines"], participant: string): readonly PracticeLine[] {
  return scripts !== undefined && Object.hasOwn(scripts, participant) ? (scripts[participant] ?? []) : [];
}
