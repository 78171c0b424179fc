import type { SelectedFile } from "../../../shared/contract/edits.ts";
import type { JournaledEdit } from "../store/records/edit-journal.ts";
import type { KeptFile } from "../store/records/kept-files.ts";
import type { ChangeRecords } from "./change-records.ts";

/** What to undo: hunks or files, everything, or what was changed after an event. */
export type UndoWanted =
  | { readonly kind: "files"; readonly files: readonly SelectedFile[] }
  | { readonly kind: "all" }
  | { readonly kind: "after"; readonly seq: number };

/** The edits of one file, and what is kept of them. */
export interface EditedPath {
  readonly path: string;
  readonly shown: string;
  readonly edits: readonly JournaledEdit[];
  readonly kept: KeptFile | undefined;
}

/** Each file that a team has edited, sorted by name. */
export async function editedPaths(records: ChangeRecords, key: number): Promise<readonly EditedPath[]> {
  const kept = await records.kept.all(key);
  const files = new Map<string, JournaledEdit[]>();
  for (const edit of await records.edits.edits(key)) {
    const edits = files.get(edit.path) ?? [];
    edits.push(edit);
    files.set(edit.path, edits);
  }
  return [...files]
    .map(([path, edits]) => ({ path, shown: edits.at(-1)?.shown ?? path, edits, kept: kept.get(path) }))
    .sort((a, b) => (a.shown < b.shown ? -1 : 1));
}

/** The files to undo, with the edits that count, and the hunks if only some are wanted. */
export function partsToUndo(
  edited: readonly EditedPath[],
  wanted: UndoWanted,
): readonly { readonly file: EditedPath; readonly hunks?: readonly string[] | undefined }[] {
  switch (wanted.kind) {
    case "all":
      return edited.map((file) => ({ file }));
    case "after":
      return edited.map((file) => ({ file: editsAfter(file, wanted.seq) })).filter(({ file }) => file.edits.length > 0);
    case "files":
      return edited.flatMap((file) => {
        const selected = wanted.files.find(({ path }) => path === file.shown);
        return selected === undefined ? [] : { file, hunks: selected.hunks };
      });
  }
}

/** The edits from the first one after an event on, as if there were no others. */
function editsAfter(file: EditedPath, seq: number): EditedPath {
  const first = file.edits.findIndex((edit) => edit.seq !== undefined && edit.seq > seq);
  return { ...file, edits: first === -1 ? [] : file.edits.slice(first), kept: undefined };
}

/** The id of the first edit that is not kept; undefined where a part of the file is kept. */
export function firstUnkept({ edits, kept }: EditedPath): number | undefined {
  if (kept === undefined) return edits[0]?.id;
  return kept.base === null ? edits.find(({ id }) => id > kept.upTo)?.id : undefined;
}
