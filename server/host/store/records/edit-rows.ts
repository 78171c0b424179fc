import type { SQLInputValue } from "node:sqlite";
import type { EditRow, Rows } from "../write.ts";

/** Its parameters are the hash, the size in bytes, and the bytes. */
export const INSERT_CONTENT = "INSERT OR IGNORE INTO contents (hash, size, bytes) VALUES (?, ?, ?)";

/** Inserts an edit, and drops the turns with the oldest edits until the contents are within their limit. */
export function insertEdit(rows: Rows, edit: EditRow): { readonly turn: number; readonly id: number } {
  const { team, turnId, participant, undoes, ref, at, path, shown, before, after, beforeHash, afterHash } = edit;
  rows.run(
    "INSERT OR IGNORE INTO editedTurns (team, turn, participant, undoes, at) VALUES (?, ?, ?, ?, ?)",
    ...[team, turnId, participant, undoes, at],
  );
  const turn = numberOf(rows, "SELECT id AS n FROM editedTurns WHERE team = ? AND turn = ?", team, turnId);
  if (before !== null) rows.run(INSERT_CONTENT, beforeHash, before.length, before);
  if (after !== null) rows.run(INSERT_CONTENT, afterHash, after.length, after);
  const id = numberOf(
    rows,
    `INSERT INTO edits (editedTurn, ref, path, shown, before, after, seq, since) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     RETURNING id AS n`,
    ...[turn, ref, path, shown, beforeHash, afterHash, edit.eventSeq, edit.since],
  );
  dropOldest(rows, turn, edit.maxKept);
  return { turn, id };
}

/** Never drops the current turn. */
function dropOldest(rows: Rows, current: number, maxKept: number): void {
  while (numberOf(rows, "SELECT coalesce(sum(size), 0) AS n FROM contents") > maxKept) {
    const dropped = rows.run(
      `DELETE FROM editedTurns WHERE id =
         (SELECT editedTurn FROM edits WHERE editedTurn <> ? GROUP BY editedTurn ORDER BY max(id) LIMIT 1)`,
      current,
    );
    if (dropped === 0) return;
  }
}

const numberOf = (rows: Rows, sql: string, ...values: readonly SQLInputValue[]): number =>
  Number(rows.get(sql, ...values)?.["n"]);
