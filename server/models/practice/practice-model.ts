import type { PracticeModel } from "../../../shared/contract/definition.ts";
import type { Model } from "../../engine/model.ts";
import { type Clock, systemClock } from "../clock.ts";
import { nextStep, OUT_OF_LINES, type PracticeStep } from "./script.ts";

/** Words a second that a reader follows with ease, and an interrupt still catches in mid-sentence. */
const READING_PACE = 12;

/**
 * The offline model that plays what the team file wrote. It is labelled as what it is, reports no usage, and keeps no
 * state: which step is next is worked out from how far its participant has come (see `script.ts`).
 */
export function practiceModel(definition: PracticeModel, clock: Clock = systemClock): Model {
  const pace = definition.pace ?? READING_PACE;
  const waitMs = pace === 0 ? 0 : 1000 / pace;
  return {
    label: "practice",
    async *stream(request, { signal }) {
      const { say, calls } = nextStep(definition, request) ?? outOfLines(request.participant);
      // At no pace too the event loop turns once for each answer, or a team that never ends could not be interrupted.
      if (waitMs === 0) await clock.wait(0, signal);
      for (const word of wordsOf(say)) {
        if (waitMs > 0) await clock.wait(waitMs, signal);
        if (signal.aborted) return;
        yield { type: "text", delta: word };
      }
      if (calls.length > 0 && !signal.aborted) yield { type: "calls", calls };
    },
  };
}

/** Words, each with the white space before it; joined they are the text. */
function wordsOf(text: string): readonly string[] {
  return text.match(/\s*\S+(?:\s+$)?|\s+$/g) ?? [];
}

function outOfLines(participant: string): PracticeStep {
  return {
    say:
      `${OUT_OF_LINES}${participant}: write more of them in the team file ` +
      `(under \`lines\` or \`asked\` of the model), or set a real model there.`,
    calls: [],
  };
}
