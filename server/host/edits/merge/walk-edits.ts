import type { JournaledEdit } from "../../store/records/edit-journal.ts";
import { type FileText, isSameText } from "./file-text.ts";
import { type Hunk, hunksOf } from "./line-hunks.ts";
import { mergeLines } from "./merge-lines.ts";

/** Who wrote a line: a tool call, or the user or a command since; undefined for a line that was there before. */
export interface LineMark {
  readonly by?: JournaledEdit | "others" | undefined;
  /** Beside it, others have removed lines that were not the team's. */
  readonly isCut?: true;
}

/** What a step from one content of a file to the next was. */
type Step =
  | { readonly kind: "edit"; readonly edit: JournaledEdit }
  | { readonly kind: "undo" | "redo" }
  /** By the user, or by a command. */
  | { readonly kind: "others" };

const ORIGINAL: LineMark = {};
const OTHERS: LineMark = { by: "others" };

/**
 * A file through its edits: `now` as it is, and `base` as it would be without the team's edits. What others change where the
 * team has not is changed in the base too, so that what differs between the two is the team's.
 */
export class EditWalk {
  base: FileText;
  now: FileText;
  marks: readonly LineMark[];
  /** The lines that each edit removed. */
  readonly removed = new Map<JournaledEdit, ReadonlySet<string>>();

  constructor(start: FileText) {
    this.base = start;
    this.now = start;
    this.marks = start?.lines.map(() => ORIGINAL) ?? [];
  }

  /** @param known the marks of the new content, if it was there before. */
  step(next: FileText, step: Step, known?: readonly LineMark[]): void {
    const hunks = hunksOf(this.now?.lines ?? [], next?.lines ?? []);
    if (step.kind === "edit") {
      const lines = this.now?.lines ?? [];
      this.removed.set(step.edit, new Set(hunks.flatMap(({ from, fromEnd }) => lines.slice(from, fromEnd))));
    }
    const marks = known ?? this.#marksAfter(hunks, markOf(step));
    this.marks = step.kind === "others" ? this.#withCuts(marks, next) : marks;
    if (step.kind === "others" || step.kind === "undo") this.base = this.#baseAfter(next);
    this.now = next;
  }

  #baseAfter(next: FileText): FileText {
    const { base, now } = this;
    if (isSameText(base, now)) return next;
    if (base === null || now === null || next === null) return base;
    return { ...base, lines: mergeLines(now.lines, next.lines, base.lines).lines };
  }

  #marksAfter(hunks: readonly Hunk[], mark: LineMark): LineMark[] {
    const parts: (readonly LineMark[])[] = [];
    let done = 0;
    for (const { from, fromEnd, to, toEnd } of hunks) {
      parts.push(this.marks.slice(done, from), new Array<LineMark>(toEnd - to).fill(mark));
      done = fromEnd;
    }
    return [...parts, this.marks.slice(done)].flat();
  }

  /** Marks the lines around those that others have removed together with lines of the team. */
  #withCuts(marks: readonly LineMark[], next: FileText): readonly LineMark[] {
    const { base, now } = this;
    if (base === null || now === null || next === null || isSameText(base, now)) return marks;
    const { conflicts } = mergeLines(now.lines, next.lines, base.lines);
    const cut = conflicts.filter(({ from, fromEnd }) => this.marks.slice(from, fromEnd).some(({ by }) => !isTeams(by)));
    if (cut.length === 0) return marks;
    const edges = new Set(cut.flatMap(({ to, toEnd }) => [to - 1, toEnd]));
    return marks.map((mark, at) => (edges.has(at) ? { ...mark, isCut: true } : mark));
  }
}

const isTeams = (by: LineMark["by"]): boolean => by !== undefined && by !== "others";

function markOf(step: Step): LineMark {
  if (step.kind === "edit") return { by: step.edit };
  return step.kind === "others" ? OTHERS : ORIGINAL;
}
