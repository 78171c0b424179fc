import { structuredPatch } from "diff";
import type { ToolPreview } from "../../shared/contract/inspection.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import { isRecord } from "../../shared/json-record.ts";
import { resultText, waitingResultOf } from "../../shared/reviewed-result.ts";
import { participantPath } from "../../shared/text/nested-teams.ts";
import { shownCode, shownCommand, shownLine } from "../text/shown-text.ts";
import type { Style } from "../text/style.ts";
import { cut, wrap } from "../text/wrap.ts";
import { type Change, changesOf } from "./previews.ts";

/** Where a card is shown. */
export interface CardPlace {
  readonly style: Style;
  readonly columns: number;
  /** How many lines of a change it shows; the whole change is shown on request. */
  readonly maxLines: number;
}

/** What a call that waits would do, with nothing of it hidden: no part of a command or an input is left out. */
export function callCard(call: PendingTool, preview: ToolPreview, place: CardPlace): readonly string[] {
  const { style, columns } = place;
  const sentence = `${participantPath(call.path, call.participant)} ${wants(call)}`;
  const lines = [
    ...wrap(shownLine(sentence), columns - 1).map(style.bold),
    ...detail(call, preview, place).map((line) => `${style.yellow("│")} ${line}`),
    ...(call.reason === undefined ? [] : wrap(shownLine(call.reason), columns - 1).map(style.dim)),
  ];
  return lines;
}

function wants(call: PendingTool): string {
  const { name, interrupt } = call;
  const result = waitingResultOf(call);
  if (result !== undefined) return `gets this ${result.isError ? "error" : "result"} of ${name} when you send it`;
  if (interrupt !== undefined) return `asks (${name})`;
  if (name === "runCommand") return "wants to run a command";
  return `wants to use ${name}`;
}

function detail(call: PendingTool, preview: ToolPreview, place: CardPlace): readonly string[] {
  const { name, input, interrupt } = call;
  const room = place.columns - 3;
  const result = waitingResultOf(call);
  if (result !== undefined) return resultLines(resultText(result.output), place);
  const asked = interrupt === undefined || interrupt === true ? [] : wrap(shownCommand(textOf(interrupt)), room);
  const changes = changesOf(preview);
  if (changes.length > 0) return [...asked, ...changes.flatMap((change) => changeLines(change, place))];
  const what = name === "runCommand" ? commandLines(input, room) : wrap(shownCommand(textOf(input)), room);
  return [...asked, ...what, ...noteLines(preview, place)];
}

function resultLines(text: string, { columns, maxLines, style }: CardPlace): readonly string[] {
  const lines = text.split("\n").flatMap((line) => wrap(shownCode(line), columns - 3));
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), style.dim(`… ${lines.length - maxLines} more lines; d shows all`)];
}

function noteLines(preview: ToolPreview, { style, columns }: CardPlace): readonly string[] {
  if (preview === null || "before" in preview || "files" in preview) return [];
  const text = "problem" in preview ? preview.problem : sandboxText(preview);
  return text === "" ? [] : wrap(shownLine(text), columns - 3).map(style.dim);
}

const sandboxText = ({ sandbox, reason }: { readonly sandbox: "on" | "off"; readonly reason?: string | undefined }) =>
  sandbox === "on" ? "" : `Runs without a sandbox${reason === undefined ? "" : `: ${reason}`}.`;

/** The command as it is, and every other field of its input. */
function commandLines(input: unknown, room: number): readonly string[] {
  if (!isRecord(input) || typeof input["command"] !== "string") return wrap(shownCommand(textOf(input)), room);
  const { command, ...others } = input;
  const rest = Object.keys(others).length === 0 ? [] : wrap(shownCommand(JSON.stringify(others)), room);
  return [...wrap(shownCommand(String(command)), room), ...rest];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

function changeLines(change: Change, { style, columns, maxLines }: CardPlace): readonly string[] {
  const room = columns - 3;
  const { path, before, after } = change;
  const { hunks } = structuredPatch(path, path, before ?? "", after ?? "", undefined, undefined, { context: 2 });
  const paint = { "+": style.green, "-": style.red, " ": (line: string) => line, "\\": style.dim };
  const lines = hunks.flatMap(({ lines: changed, oldStart }) => [
    style.dim(`line ${Math.max(1, oldStart)}`),
    ...changed.flatMap((line) => {
      const mark = line[0] as keyof typeof paint;
      return wrap(shownCode(line), room).map(paint[mark] ?? paint[" "]);
    }),
  ]);
  const title = style.bold(cut(shownLine(`${path}${noteOn(change)}`), room));
  if (lines.length <= maxLines) return [title, ...lines];
  return [title, ...lines.slice(0, maxLines), style.dim(`… ${lines.length - maxLines} more lines; d shows all`)];
}

function noteOn({ before, after, movedFrom }: Change): string {
  if (movedFrom !== undefined) return ` (moved from ${movedFrom.path})`;
  if (after === null) return " (deleted)";
  return before === null ? " (new file)" : "";
}
