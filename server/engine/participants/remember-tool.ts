import { isRecord } from "../../../shared/json-record.ts";
import type { RequestedCall } from "../calls/call-outcome.ts";
import type { AnsweredCall } from "../context/tool-step.ts";
import type { ToolSpec } from "../model.ts";
import type { BuiltInTools } from "./built-in-tools.ts";
import type { Turn } from "./participant.ts";

/** The tool that saves a note for the participant itself (`memory.keep`). */
export const REMEMBER = "remember";

const spec: ToolSpec = {
  name: REMEMBER,
  description: "Save a note for yourself. Your notes are shown to you in every later turn.",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string", description: "What to remember, in one or two sentences." } },
    required: ["text"],
    additionalProperties: false,
  },
};

/** Keeps a participant's notes in the team's state. */
export class RememberTool implements BuiltInTools {
  readonly specs = [spec];
  readonly #participant: string;

  constructor(participant: string) {
    this.#participant = participant;
  }

  owns(tool: string): boolean {
    return tool === REMEMBER;
  }

  answer(calls: readonly RequestedCall[], turn: Turn): AnsweredCall[] {
    return calls.map(({ ref, name, input }) => {
      const text = noteIn(input);
      if (text === undefined) {
        return { ref, name, input, output: "Provide the note as `text`; it must not be empty.", isError: true };
      }
      turn.emit({ type: "memory/added", participant: this.#participant, text });
      return { ref, name, input, output: "Saved.", isError: false };
    });
  }
}

function noteIn(input: unknown): string | undefined {
  const { text } = isRecord(input) ? input : {};
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}
