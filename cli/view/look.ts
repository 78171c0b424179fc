import type { ParticipantInfo } from "../../shared/contract/team.ts";
import { isRecord } from "../../shared/json-record.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { shownLine, shownText } from "../text/shown-text.ts";
import type { Style } from "../text/style.ts";
import { columnsOf, cut, wrap } from "../text/wrap.ts";

/** How lines are written: for a terminal of so many columns, or without an end. */
export interface Look {
  readonly style: Style;
  readonly columns: number;
  /** The team's participants, whose order gives them their colours. */
  readonly participants: readonly Pick<ParticipantInfo, "name">[];
  /** The users of the team, where there are several. */
  readonly people?: TeamState["people"];
  /** The id of the user of this command. */
  readonly user: string;
}

const INDENT = "  ";
/** Lines longer than this are hard to read. */
const MAX_COLUMNS = 100;

export const textColumns = ({ columns }: Look): number =>
  Number.isFinite(columns) ? Math.min(columns - 1, MAX_COLUMNS) - INDENT.length : Number.POSITIVE_INFINITY;

export const indented = (line: string): string => (line === "" ? "" : INDENT + line);

/** The line above what somebody says; `note` says more, such as who it is said to. */
export function speakerLine(look: Look, path: string, note = ""): string {
  const { style, participants, columns } = look;
  const name = cut(shownLine(path), columns - 1);
  const own = participants.findIndex((one) => one.name === path.split(" › ")[0]);
  const shown = own === -1 ? style.bold(name) : style.speaker(own, name);
  return note === ""
    ? shown
    : `${shown}${style.dim(cut(` ${shownLine(note)}`, Math.max(4, columns - 1 - name.length)))}`;
}

/** The lines of a text, below {@link speakerLine}. */
export const textLines = (look: Look, text: string, paint: (line: string) => string = (line) => line): string[] =>
  linesOf(shownText(text).replace(/\s+$/, ""), textColumns(look)).map((line) =>
    indented(line === "" ? "" : paint(line)),
  );

const linesOf = (text: string, columns: number): readonly string[] =>
  Number.isFinite(columns) ? wrap(text, columns) : text.split("\n");

/** A sentence about what happened, dimmed, in the lines that it needs. */
export const noteLines = (look: Look, text: string, paint: (line: string) => string = look.style.dim): string[] =>
  linesOf(shownLine(text), textColumns(look) + INDENT.length).map(paint);

/** A call in one line: its tool, what it is about, and how it ended. */
export function callLine(
  look: Look,
  { name, input }: { readonly name: string; readonly input: unknown },
  end: CallEnd,
) {
  const { style } = look;
  const mark = { done: style.green("✓"), failed: style.red("✗"), cut: style.yellow("■") }[end.how];
  const tool = shownLine(name);
  const about = shownInput(input);
  const result = end.text === "" ? "" : ` · ${shownLine(end.text)}`;
  const room = Math.max(10, textColumns(look) - 3 - tool.length);
  const line = cut(about, Math.max(Math.floor(room / 2), room - columnsOf(result)));
  return indented(`${mark} ${tool}${style.dim(cut(` ${line}${result}`, room))}`);
}

/** How a call ended. `text` is short, and empty for a call of which nothing needs to be said. */
export interface CallEnd {
  readonly how: "done" | "failed" | "cut";
  readonly text: string;
}

/** The values of an input in one line, without their keys; long ones are cut to be looked at, not decided on. */
function shownInput(input: unknown): string {
  const values = isRecord(input) ? Object.values(input) : [input];
  const texts = values.map((value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? "")));
  return shownLine(texts.map((text) => text.slice(0, 300)).join(" · "));
}
