import * as z from "zod";
import type { PendingTool } from "../../shared/contract/team.ts";
import { LEGEND, visibleText } from "../common/visible-text.ts";

/** A dialog's text has no scroll bar everywhere: what is longer is first shown as a document. */
const MOST_CHARACTERS = 1500;
const MOST_LINES = 20;

/** A pending call as the user is asked about it. */
export interface ToolCallText {
  readonly question: string;
  /** All that will run, every character visible; its beginning when {@link whole} is too long for a dialog. */
  readonly detail: string;
  readonly whole: string;
  /** False when the detail is only the beginning. */
  readonly complete: boolean;
}

/** `runCommand`'s input, exactly: with anything else in it the input is shown as JSON, so that nothing is left out. */
const Command = z.strictObject({
  command: z.string(),
  cwd: z.string().optional(),
  timeoutSeconds: z.number().optional(),
});

/** What a call would do, in words. `folder` is where commands run when they do not say; `who` asks, where it is not the caller alone. */
export function toolCallText(call: PendingTool, folder: string, who = call.participant): ToolCallText {
  const whole = describe(call, folder);
  const lines = whole.split("\n");
  const complete = whole.length <= MOST_CHARACTERS && lines.length <= MOST_LINES;
  const name = visibleText(call.name).text;
  const asking = visibleText(who).text;
  const wants = who === call.participant ? "wants" : "want";
  return {
    question:
      call.name === "runCommand"
        ? `${asking} ${wants} to run a command.`
        : `${asking} ${wants} to use the tool ${name}.`,
    detail: complete ? whole : beginning(lines, whole.length),
    whole,
    complete,
  };
}

function describe(call: PendingTool, folder: string): string {
  const parts =
    call.name === "runCommand" ? (commandParts(call.input, folder) ?? inputParts(call.input)) : inputParts(call.input);
  const shown = parts.map(([label, text]) => ({ label, ...visibleText(text) }));
  const legend = shown.some(({ written }) => written) ? [LEGEND] : [];
  const asked = call.interrupt === undefined || call.interrupt === true ? [] : [question(call.interrupt)];
  return [...asked, ...shown.map(({ label, text }) => `${label}:\n${text}`), ...legend].join("\n\n");
}

function commandParts(input: unknown, folder: string): readonly (readonly [string, string])[] | undefined {
  const parsed = Command.safeParse(input);
  if (!parsed.success) return undefined;
  const { command, cwd, timeoutSeconds } = parsed.data;
  return [
    ["Command", command],
    ["In folder", cwd === undefined || cwd === "" || cwd === "." ? folder : `${cwd} (of ${folder})`],
    ...(timeoutSeconds === undefined ? [] : [["For at most", `${timeoutSeconds} s`] as const]),
  ];
}

/** JSON escapes most of what hides; the rest is written out after. Each line is made visible by itself, as JSON's breaks are ours. */
function inputParts(input: unknown): readonly (readonly [string, string])[] {
  return [["Input", typeof input === "string" ? input : (JSON.stringify(input) ?? "none")]];
}

function question(interrupt: unknown): string {
  return `The tool asks: ${visibleText(typeof interrupt === "string" ? interrupt : JSON.stringify(interrupt)).text}`;
}

function beginning(lines: readonly string[], length: number): string {
  const shown = lines
    .slice(0, MOST_LINES)
    .join("\n")
    .slice(0, MOST_CHARACTERS / 2);
  return `${shown}…\n\nThis is only the beginning of ${length} characters. See the whole input before you let it run.`;
}
