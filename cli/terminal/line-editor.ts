import { columnsOf, headOf } from "../text/wrap.ts";
import type { KeyPress } from "./keyboard.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** What the user has typed, and where the cursor is in it, in code units. */
export interface EditedLine {
  readonly text: string;
  readonly cursor: number;
}

export const EMPTY: EditedLine = { text: "", cursor: 0 };

/** The line after a key; the same line for a key that does not edit. */
export function edited(line: EditedLine, key: KeyPress): EditedLine {
  const { name, text, ctrl, meta } = key;
  const edit =
    (name === undefined ? undefined : ctrl ? CTRL.get(name) : KEYS.get(name)) ?? insert(ctrl || meta ? "" : text);
  return edit(line.text.slice(0, line.cursor), line.text.slice(line.cursor));
}

/** What a key does to the text before and after the cursor. */
type Edit = (before: string, after: string) => EditedLine;

const put = (before: string, after: string): EditedLine => ({ text: before + after, cursor: before.length });

const insert =
  (text: string): Edit =>
  (before, after) =>
    put(before + text, after);

const backspace: Edit = (before, after) => put(before.slice(0, before.length - lastLength(before)), after);
const home: Edit = (before, after) => ({ text: before + after, cursor: 0 });
const end: Edit = (before, after) => put(before + after, "");

const KEYS: ReadonlyMap<string, Edit> = new Map<string, Edit>([
  ["backspace", backspace],
  ["delete", (before, after) => put(before, after.slice(firstLength(after)))],
  ["left", (before, after) => ({ text: before + after, cursor: before.length - lastLength(before) })],
  ["right", (before, after) => ({ text: before + after, cursor: before.length + firstLength(after) })],
  ["home", home],
  ["end", end],
]);

const CTRL: ReadonlyMap<string, Edit> = new Map<string, Edit>([
  ["h", backspace],
  ["a", home],
  ["e", end],
  ["u", (_, after) => put("", after)],
  ["k", (before) => put(before, "")],
  ["w", (before, after) => put(before.replace(/\S+\s*$/, ""), after)],
]);

const firstLength = (text: string): number =>
  segmenter.segment(text)[Symbol.iterator]().next().value?.segment.length ?? 0;
const lastLength = (text: string): number => [...segmenter.segment(text)].at(-1)?.segment.length ?? 0;

/** The part of the line around the cursor that fits into `columns`, and the cursor's column in it. */
export function visiblePart({ text, cursor }: EditedLine, columns: number): { text: string; column: number } {
  const before = text.slice(0, cursor);
  const room = Math.max(1, columns - 1);
  let start = 0;
  while (columnsOf(before.slice(start)) > room) start += firstLength(before.slice(start));
  return { text: headOf(text.slice(start), columns), column: columnsOf(before.slice(start)) };
}
