import { structuredPatch } from "diff";
import type { DiffHunk, DiffLine, ShownEdit } from "../common/call-card.ts";

/** What a call would do to a file: its content now, or null for a new one, and after the call. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
  /** The file is deleted. */
  readonly deleted?: true | undefined;
  /** The file that is moved to this path; `before` is its content. */
  readonly movedFrom?: { readonly path: string } | undefined;
}

/** How many unchanged lines are shown around a change. */
const CONTEXT = 3;
/** How many lines, and characters of all of them, a card gets; the diff editor shows all. */
const MAX_LINES = 1000;
const MAX_CHARACTERS = 200_000;
/** Of how many files a card gets lines. */
const MAX_FILES = 20;
/** Texts that differ in more lines than this are shown as removed and added: the search takes the square of it. */
const MAX_EDITS = 1000;

/** The change as a diff by lines. */
export function shownEdit({ path, before, after, deleted, movedFrom }: FileChange): ShownEdit {
  const [old, fresh] = sameEndings(before ?? "", after);
  const hunks = diffOf(old, fresh);
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (kind: DiffLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
  const shown = limited(hunks);
  return {
    path,
    isNew: before === null,
    ...(deleted ? { isDeleted: true as const } : {}),
    ...(movedFrom === undefined ? {} : { movedFrom: movedFrom.path }),
    added: count("added"),
    removed: count("removed"),
    hunks: shown.map(marked),
    omitted: lines.length - shown.reduce((sum, hunk) => sum + hunk.lines.length, 0),
  };
}

/** The changes of several files, of which the last ones are only counted. */
export function shownEdits(changes: readonly FileChange[]): readonly ShownEdit[] {
  return changes.map((change, at) => {
    const edit = shownEdit(change);
    if (at < MAX_FILES) return edit;
    return { ...edit, hunks: [], omitted: edit.omitted + edit.hunks.reduce((sum, { lines }) => sum + lines.length, 0) };
  });
}

/** Texts that both use CRLF are compared without it, so that it is not shown in each line. */
function sameEndings(before: string, after: string): readonly [string, string] {
  const isCrlf = (text: string): boolean => !/(^|[^\r])\n/.test(text);
  return isCrlf(before) && isCrlf(after)
    ? [before.replaceAll("\r\n", "\n"), after.replaceAll("\r\n", "\n")]
    : [before, after];
}

function diffOf(before: string, after: string): readonly DiffHunk[] {
  const patch = structuredPatch("", "", before, after, "", "", { context: CONTEXT, maxEditLength: MAX_EDITS });
  if (patch === undefined) return [replaced(before, after)];
  return patch.hunks.map(({ oldStart, newStart, lines }) => ({
    before: oldStart,
    after: newStart,
    lines: lines.flatMap((line, at) => lineOf(line, lines[at + 1]?.startsWith("\\") === true)),
  }));
}

/** A line of a unified diff; one that starts with a backslash only says that the line before it has no line break. */
function lineOf(line: string, isUnended: boolean): readonly DiffLine[] {
  if (line.startsWith("\\")) return [];
  const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
  return [{ kind, text: line.slice(1), ...(isUnended ? { unended: true } : {}) }];
}

function replaced(before: string, after: string): DiffHunk {
  const lines = (text: string, kind: "added" | "removed"): DiffLine[] =>
    text === ""
      ? []
      : text
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => ({ kind, text: line }));
  return { before: 1, after: 1, lines: [...lines(before, "removed"), ...lines(after, "added")] };
}

/** The first lines that a card has room for. */
function limited(hunks: readonly DiffHunk[]): readonly DiffHunk[] {
  let lines = MAX_LINES;
  let characters = MAX_CHARACTERS;
  const shown: DiffHunk[] = [];
  for (const hunk of hunks) {
    const fitting = hunk.lines.findIndex(({ text }) => {
      lines--;
      characters -= text.length;
      return lines < 0 || characters < 0;
    });
    if (fitting === -1) shown.push(hunk);
    else {
      if (fitting > 0) shown.push({ ...hunk, lines: hunk.lines.slice(0, fitting) });
      break;
    }
  }
  return shown;
}

/** Marks what differs within lines that replace as many others. */
function marked(hunk: DiffHunk): DiffHunk {
  const lines = [...hunk.lines];
  for (let at = 0; at < lines.length; ) {
    const removed = lengthOf(lines, at, "removed");
    const added = lengthOf(lines, at + removed, "added");
    if (removed === added) for (let n = 0; n < removed; n++) markPair(lines, at + n, at + removed + n);
    at += Math.max(1, removed + added);
  }
  return { ...hunk, lines };
}

function lengthOf(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): number {
  let count = 0;
  while (lines[from + count]?.kind === kind) count++;
  return count;
}

/** Two lines that have nothing in common are not marked: all of them differs. */
function markPair(lines: DiffLine[], at: number, other: number): void {
  const [old, fresh] = [lines[at], lines[other]];
  if (old === undefined || fresh === undefined || old.text === fresh.text) return;
  const [a, b] = [old.text, fresh.text];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  if (a.slice(0, start).trim() === "" && end === 0) return;
  lines[at] = { ...old, mark: [start, a.length - end] };
  lines[other] = { ...fresh, mark: [start, b.length - end] };
}
