import { createHash } from "node:crypto";
import type { JournaledEdit } from "../../store/records/edit-journal.ts";
import type { KeptFile } from "../../store/records/kept-files.ts";
import { type FileText, isSameText } from "./file-text.ts";
import { type Hunk, hunksOf } from "./line-hunks.ts";
import { EditWalk, type LineMark } from "./walk-edits.ts";

/** A hunk from the base to the file as it is now. */
export interface TeamHunk extends Hunk {
  /** Names it as long as its lines stay as they are. */
  readonly id: string;
  /** The edits that wrote its lines. */
  readonly edits: readonly JournaledEdit[];
  /** Others have changed the same lines. */
  readonly isMixed: boolean;
}

/** A file that a team has changed. */
export interface ChangedText {
  /** As it would be without what the team has changed since `since`, and the user has not kept. */
  readonly base: FileText;
  readonly now: FileText;
  readonly hunks: readonly TeamHunk[];
  /** Of each line of `now`. */
  readonly marks: readonly LineMark[];
}

/** What a walk through the edits of a file needs to know. `content` is undefined for what the store does not have. */
export interface FileHistory {
  /** The file's edits, in order. */
  readonly edits: readonly JournaledEdit[];
  readonly content: (hash: string | null) => FileText | undefined;
  /** Whether an undo brings back what another undo has taken away. */
  readonly isRedo: (edit: JournaledEdit) => boolean;
  readonly kept?: KeptFile | undefined;
  /** The content as it is now. */
  readonly now: FileText;
}

/** Undefined when the store no longer has what the file was before the first of the edits. */
export function changedText(history: FileHistory): ChangedText | undefined {
  const { edits, content, isRedo, kept, now } = history;
  const start = content(edits[0]?.before ?? null);
  if (edits[0] === undefined || start === undefined) return undefined;
  const walk = new EditWalk(start);
  const seen = new Map<string | null, readonly LineMark[]>();
  let isKept = kept === undefined;
  const keep = (): void => {
    const base = kept?.base == null ? undefined : content(kept.base);
    const then = kept?.seen == null ? undefined : content(kept.seen);
    if (base !== undefined && then !== undefined) {
      others(walk, then);
      walk.base = base;
    } else {
      walk.base = walk.now;
      walk.removed.clear();
    }
    isKept = true;
  };
  for (const edit of edits) {
    if (!isKept && kept !== undefined && edit.id > kept.upTo) keep();
    const before = content(edit.before);
    if (before !== undefined) others(walk, before);
    seen.set(edit.before, walk.marks);
    const after = content(edit.after);
    // Where the store does not have it, what follows shows as changed by others.
    if (after === undefined) continue;
    if (edit.participant !== undefined) walk.step(after, { kind: "edit", edit });
    else walk.step(after, { kind: isRedo(edit) ? "redo" : "undo" }, seen.get(edit.after));
  }
  if (!isKept) keep();
  others(walk, now);
  return { base: walk.base, now, marks: walk.marks, hunks: teamHunks(walk) };
}

function others(walk: EditWalk, next: FileText): void {
  if (!isSameText(walk.now, next)) walk.step(next, { kind: "others" });
}

function teamHunks({ base, now, marks, removed }: EditWalk): TeamHunk[] {
  const [old, fresh] = [base?.lines ?? [], now?.lines ?? []];
  const isGone = base !== null && now === null;
  const all = hunksOf(old, fresh);
  // An empty file that was made or removed has no line that differs.
  const hunks =
    all.length === 0 && (base === null) !== (now === null) ? [{ from: 0, fromEnd: 0, to: 0, toEnd: 0 }] : all;
  const counts = new Map<string, number>();
  return hunks.map((hunk) => {
    const own = marks.slice(hunk.to, hunk.toEnd);
    const edges = marks.slice(Math.max(0, hunk.to - 1), hunk.toEnd + 1);
    const name = hashOf(old.slice(hunk.from, hunk.fromEnd), fresh.slice(hunk.to, hunk.toEnd));
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const wrote = [...new Set(own.flatMap(({ by }) => (by === undefined || by === "others" ? [] : by)))];
    return {
      ...hunk,
      id: count === 0 ? name : `${name}-${count}`,
      edits: wrote.length > 0 ? wrote : removedBy(old.slice(hunk.from, hunk.fromEnd), removed),
      isMixed: isGone || own.some(({ by }) => by === "others") || edges.some(({ isCut }) => isCut === true),
    };
  });
}

/** Of a hunk that only removes lines, the edit that removed the first one last. */
function removedBy([first]: readonly string[], removed: EditWalk["removed"]): readonly JournaledEdit[] {
  const found = [...removed].findLast(([, lines]) => first === undefined || lines.has(first));
  return found === undefined ? [] : [found[0]];
}

function hashOf(old: readonly string[], fresh: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify([old, fresh]))
    .digest("hex")
    .slice(0, 16);
}

/** The file with these hunks as they are in the base. */
export function withoutHunks({ base, now }: ChangedText, hunks: readonly Hunk[]): FileText {
  if (base === null) return hunks.length === 0 ? now : null;
  if (now === null) return hunks.length === 0 ? now : base;
  const made = { ...now, lines: replaced(now.lines, hunks.map(reversed), base.lines) };
  // The encoding of the file is kept, but no text can be written in that of a file that is none.
  return now.encoding === "none" && isSameText(made, base) ? base : made;
}

/** The base with these hunks as they are in the file. */
export function baseWith({ base, now }: ChangedText, hunks: readonly Hunk[]): FileText {
  if (base === null || now === null) return hunks.length === 0 ? base : now;
  return { ...base, lines: replaced(base.lines, hunks, now.lines) };
}

const reversed = ({ from, fromEnd, to, toEnd }: Hunk): Hunk => ({ from: to, fromEnd: toEnd, to: from, toEnd: fromEnd });

function replaced(lines: readonly string[], hunks: readonly Hunk[], by: readonly string[]): readonly string[] {
  const parts: (readonly string[])[] = [];
  let done = 0;
  for (const { from, fromEnd, to, toEnd } of hunks) {
    parts.push(lines.slice(done, from), by.slice(to, toEnd));
    done = fromEnd;
  }
  return [...parts, lines.slice(done)].flat();
}
