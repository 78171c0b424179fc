import { CHANGES, type JournaledFile, type JournaledTurn } from "../store/records/edit-journal.ts";

/** The files of each turn that are not undone, by the turn's id. */
export type NotUndone = ReadonlyMap<string, readonly JournaledFile[]>;

/**
 * Which files are not undone: no undo of their turn, or of all that was changed in the file since, restored them, or that
 * undo was itself undone. `turns` are all turns of the team, the last edited first, so an undo comes before what it undoes.
 */
export function filesNotUndone(turns: readonly JournaledTurn[]): NotUndone {
  const files = new Map<string, readonly JournaledFile[]>();
  /** The paths that undos of each turn have restored. */
  const restored = new Map<string, Set<string>>();
  /** The edits of each file that undos of several turns have undone. */
  const ranges = new Map<string, { readonly from: number; readonly to: number }[]>();
  for (const turn of turns) {
    const { turnId, undoes } = turn;
    const left = turn.files.filter(
      ({ path, edits }) =>
        restored.get(turnId)?.has(path) !== true &&
        ranges.get(path)?.some(({ from, to }) => edits.every(({ id }) => id >= from && id < to)) !== true,
    );
    files.set(turnId, left);
    if (undoes === undefined) continue;
    const paths = restored.get(undoes) ?? new Set();
    restored.set(undoes, paths);
    for (const { path, edits } of left) {
      if (undoes !== CHANGES) paths.add(path);
      for (const { id, since } of edits)
        if (since !== undefined) ranges.set(path, [...(ranges.get(path) ?? []), { from: since, to: id }]);
    }
  }
  return files;
}

/** The turn that `edits/undo` undoes by default: the last one that is not an undo and is not wholly undone. */
export function lastTurnToUndo(turns: readonly JournaledTurn[]): JournaledTurn | undefined {
  const files = filesNotUndone(turns);
  return turns.find(({ turnId, undoes }) => undoes === undefined && (files.get(turnId)?.length ?? 0) > 0);
}

/** Whether an undo brings back what another undo has taken away. */
export function isRedo(undoes: string | undefined, turns: readonly JournaledTurn[]): boolean {
  const undone = turns.find(({ turnId }) => turnId === undoes);
  return undone?.undoes !== undefined && !isRedo(undone.undoes, turns);
}
