import type { JournaledFile, JournaledTurn } from "../store/records/edit-journal.ts";

/**
 * The files of a turn that are not undone: no undo of the turn restored them, or that undo was itself undone. `turns` are
 * all turns of the team.
 */
export function filesNotUndone(turn: JournaledTurn, turns: readonly JournaledTurn[]): readonly JournaledFile[] {
  const undos = turns.filter(({ undoes }) => undoes === turn.turnId);
  const undone = new Set(undos.flatMap((undo) => filesNotUndone(undo, turns).map(({ path }) => path)));
  return turn.files.filter(({ path }) => !undone.has(path));
}

/** The turn that `edits/undo` undoes by default: the last one that is not an undo and is not wholly undone. */
export function lastTurnToUndo(turns: readonly JournaledTurn[]): JournaledTurn | undefined {
  return turns.find((turn) => turn.undoes === undefined && filesNotUndone(turn, turns).length > 0);
}
