import { pathToFileURL } from "node:url";
import type {
  ChangedFile,
  ChangedHunk,
  ChangedTurn,
  CommandChange,
  WrittenLines,
} from "../../../shared/contract/edits.ts";
import type { CommandChange as NotedChange } from "../store/records/command-changes.ts";
import type { JournaledEdit } from "../store/records/edit-journal.ts";
import type { EditedPath } from "./edited-paths.ts";
import type { ChangedText, TeamHunk } from "./merge/changed-text.ts";
import type { FileText } from "./merge/file-text.ts";

export function describeFile({ path, shown, edits, kept }: EditedPath, { base, now, hunks }: ChangedText): ChangedFile {
  const wrote = new Set(hunks.flatMap((hunk) => hunk.edits));
  const teams = edits.filter(({ participant, id }) => participant !== undefined && id > (kept?.upTo ?? 0));
  const own = wrote.size > 0 ? edits.filter((edit) => wrote.has(edit)) : teams;
  return {
    path: shown,
    uri: pathToFileURL(path).href,
    change: base === null ? "created" : now === null ? "deleted" : "changed",
    added: hunks.reduce((sum, { to, toEnd }) => sum + toEnd - to, 0),
    removed: hunks.reduce((sum, { from, fromEnd }) => sum + fromEnd - from, 0),
    turns: [...new Set(own.map(({ turnId }) => turnId))],
    refs: refsOf(own),
    participants: participantsOf(own),
    mixed: hunks.some(({ isMixed }) => isMixed),
  };
}

export const describeHunk = ({ id, from, fromEnd, to, toEnd, edits, isMixed }: TeamHunk): ChangedHunk => ({
  id,
  line: to,
  lines: toEnd - to,
  baseLine: from,
  baseLines: fromEnd - from,
  participants: participantsOf(edits),
  refs: refsOf(edits),
  mixed: isMixed,
});

const refsOf = (edits: readonly JournaledEdit[]): string[] => [...new Set(edits.flatMap(({ ref }) => ref ?? []))];

const participantsOf = (edits: readonly JournaledEdit[]): string[] => [
  ...new Set(edits.flatMap(({ participant }) => participant ?? [])),
];

export function writtenLines(marks: ChangedText["marks"]): WrittenLines[] {
  const written: { line: number; lines: number; edit: JournaledEdit }[] = [];
  for (const [line, { by }] of marks.entries()) {
    if (by === undefined || by === "others") continue;
    const last = written.at(-1);
    if (last?.edit === by && last.line + last.lines === line) last.lines++;
    else written.push({ line, lines: 1, edit: by });
  }
  return written.flatMap(({ line, lines, edit: { participant, ref, at } }) =>
    participant === undefined ? [] : { line, lines, participant, ...(ref === undefined ? {} : { ref }), at },
  );
}

/** Null for a file that is no text. */
export const textOf = (file: FileText): string | null =>
  file === null || file.encoding === "none" ? null : file.lines.join("");

export const describeCommandChange = ({ shown, path, content, ...change }: NotedChange): CommandChange => ({
  ...change,
  path: shown,
  uri: pathToFileURL(path).href,
});

/** The turns whose lines are among the changes, the last first, each with what it changed in each file. */
export function changedTurns(
  files: readonly { readonly shown: string; readonly changed: ChangedText }[],
): readonly ChangedTurn[] {
  const turns = new Map<string, { readonly turn: ChangedTurn; last: number }>();
  for (const { shown, changed } of files) {
    for (const { edit, added, removed } of changed.hunks.flatMap((hunk) => sharesOf(hunk, changed))) {
      const { turnId, participant = "", at } = edit;
      const known = turns.get(turnId) ?? { turn: { turnId, participant, at, refs: [], files: [] }, last: 0 };
      turns.set(turnId, known);
      known.last = Math.max(known.last, edit.id);
      addShare(known.turn, { path: shown, added, removed }, edit.ref);
    }
  }
  return [...turns.values()].sort((a, b) => b.last - a.last).map(({ turn }) => turn);
}

function addShare({ refs, files }: ChangedTurn, share: ChangedTurn["files"][number], ref: string | undefined): void {
  if (ref !== undefined && !refs.includes(ref)) refs.push(ref);
  const file = files.find(({ path }) => path === share.path);
  if (file === undefined) {
    files.push(share);
    return;
  }
  file.added += share.added;
  file.removed += share.removed;
}

/** What each edit of a hunk has of its lines; the lines that it removed are the last one's. */
function sharesOf(
  { edits, to, toEnd, from, fromEnd }: TeamHunk,
  { marks }: ChangedText,
): readonly { readonly edit: JournaledEdit; readonly added: number; readonly removed: number }[] {
  const last = edits.toSorted((a, b) => a.id - b.id).at(-1);
  const own = marks.slice(to, toEnd);
  return edits.map((edit) => ({
    edit,
    added: own.filter(({ by }) => by === edit).length,
    removed: edit === last ? fromEnd - from : 0,
  }));
}
