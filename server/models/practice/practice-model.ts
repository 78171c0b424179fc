import type { PracticeModel } from "../../../shared/contract/definition.ts";
import type { Model } from "../../engine/model.ts";
import { type Clock, systemClock } from "../clock.ts";
import { nextStep, OUT_OF_LINES, type PracticeStep } from "./script.ts";

/** Words per second: comfortable to read, and slow enough to be interrupted in mid-sentence. */
const READING_PACE = 12;

/**
 * The offline model that plays the lines in the team file. It reports no usage and keeps no state: the next step is derived
 * from how far its participant has come (see `script.ts`).
 */
export function practiceModel(definition: PracticeModel, clock: Clock = systemClock): Model {
  const pace = definition.pace ?? READING_PACE;
  const waitMs = pace === 0 ? 0 : 1000 / pace;
  return {
    label: "practice",
    async *stream(request, { signal }) {
      const { say, calls } = nextStep(definition, request) ?? outOfLinesStep(request.participant);
      // Even without a pace each answer yields to the event loop once, so that an endless team can be interrupted.
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

/** The words of a text, each with the white space before it; joined, they are the text. */
function wordsOf(text: string): readonly string[] {
  return text.match(/\s*\S+(?:\s+$)?|\s+$/g) ?? [];
}

function outOfLinesStep(participant: string): PracticeStep {
  return {
    say:
      `${OUT_OF_LINES}${participant}: write more of them in the team file ` +
      `(under \`lines\` or \`asked\` of the model), or set a real model there.`,
    calls: [],
  };
}
