import type { PendingTool } from "../../shared/contract/team.ts";
import { LEGEND, visibleText } from "../../shared/text/visible-text.ts";
import { outsideQuestionOf } from "../common/outside-question.ts";
import { commandOfCall } from "./command-input.ts";
import { OUTSIDE_MEANS } from "./sandbox-text.ts";

/** Some platforms' dialogs cannot scroll: a longer text is first shown as a document. */
const MAX_CHARACTERS = 1500;
const MAX_LINES = 20;

/** The text of an approval dialog. */
export interface ToolCallText {
  readonly question: string;
  /** All that will run, every character visible; only its beginning when {@link whole} is too long for a dialog. */
  readonly detail: string;
  readonly whole: string;
  /** False when the detail is only the beginning. */
  readonly complete: boolean;
}

/**
 * What a call would do.
 * @param folder the default working directory of commands.
 * @param who the participants that request the call.
 */
export function toolCallText(call: PendingTool, folder: string, who = call.participant): ToolCallText {
  const whole = describe(call, folder);
  const lines = whole.split("\n");
  const complete = whole.length <= MAX_CHARACTERS && lines.length <= MAX_LINES;
  const name = visibleText(call.name).text;
  const asking = visibleText(who).text;
  const wants = who === call.participant ? "wants" : "want";
  const isCommand = call.name === "runCommand" || commandOfCall(call, folder) !== undefined;
  const command =
    outsideQuestionOf(call) === undefined
      ? `${asking} ${wants} to run a command.`
      : `A command of ${asking} failed in the sandbox. Run it outside the sandbox?`;
  return {
    question: isCommand ? command : `${asking} ${wants} to use the tool ${name}.`,
    detail: complete ? whole : beginning(lines, whole.length),
    whole,
    complete,
  };
}

function describe(call: PendingTool, folder: string): string {
  const parts = commandParts(call, folder) ?? inputParts(call.input);
  const shown = parts.map(([label, text]) => ({ label, ...visibleText(text) }));
  const legend = shown.some(({ written }) => written) ? [LEGEND] : [];
  return [...asked(call), ...shown.map(({ label, text }) => `${label}:\n${text}`), ...legend].join("\n\n");
}

function commandParts(call: PendingTool, folder: string): readonly (readonly [string, string])[] | undefined {
  const parsed = commandOfCall(call, folder);
  if (parsed === undefined) return undefined;
  const { line, folder: where, timeoutSeconds, background } = parsed;
  return [
    ["Command", line],
    ["In folder", where],
    ...(background
      ? [["In the background", "It goes on until it ends, or you or a participant stop it."] as const]
      : []),
    ...(timeoutSeconds === undefined ? [] : [["Time limit", `${timeoutSeconds} s`] as const]),
  ];
}

/** The input as JSON, which escapes most invisible characters; {@link visibleText} writes out the others. */
function inputParts(input: unknown): readonly (readonly [string, string])[] {
  return [["Input", typeof input === "string" ? input : (JSON.stringify(input) ?? "none")]];
}

/** Why the user is asked, or what the tool itself asks. */
function asked(call: PendingTool): readonly string[] {
  const { interrupt, reason } = call;
  const outside = outsideQuestionOf(call);
  if (outside !== undefined) return [`It failed: ${visibleText(outside.reason).text}.`, OUTSIDE_MEANS];
  if (reason !== undefined) return [visibleText(reason).text];
  return interrupt === undefined || interrupt === true ? [] : [question(interrupt)];
}

function question(interrupt: unknown): string {
  return `The tool asks: ${visibleText(typeof interrupt === "string" ? interrupt : JSON.stringify(interrupt)).text}`;
}

function beginning(lines: readonly string[], length: number): string {
  const shown = lines
    .slice(0, MAX_LINES)
    .join("\n")
    .slice(0, MAX_CHARACTERS / 2);
  return `${shown}…\n\nThese are the first characters of ${length}. Show the full input before you approve the call.`;
}
