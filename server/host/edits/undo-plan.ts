import type { JournaledFile, JournaledTurn } from "../store/edit-journal.ts";

/**
 * The files of a turn that are not undone: no undo of the turn has put them back, or that undo was itself undone.
 * `turns` are all of the team's.
 */
export function filesNotUndone(turn: JournaledTurn, turns: readonly JournaledTurn[]): readonly JournaledFile[] {
  const undos = turns.filter(({ undoes }) => undoes === turn.turnId);
  const undone = new Set(undos.flatMap((undo) => filesNotUndone(undo, turns).map(({ path }) => path)));
  return turn.files.filter(({ path }) => !undone.has(path));
}

/** What `edits/undo` means when it names no turn: the one edited in last that is no undo and still stands, in part or whole. */
export function lastTurnToUndo(turns: readonly JournaledTurn[]): JournaledTurn | undefined {
  return turns.find((turn) => turn.undoes === undefined && filesNotUndone(turn, turns).length > 0);
}
