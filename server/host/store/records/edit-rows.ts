import type { SQLInputValue } from "node:sqlite";
import type { EditRow } from "../write.ts";
import { get, run, type Steps } from "../write-steps.ts";

/** Its parameters are the hash, the size in bytes, and the bytes. */
export const INSERT_CONTENT = "INSERT INTO contents (hash, size, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";

/** Inserts an edit, and drops the turns with the oldest edits until the contents are within their limit. */
export function* insertEdit(edit: EditRow): Steps<{ readonly turn: number; readonly id: number }> {
  const { team, turnId, participant, undoes, ref, at, path, shown, before, after, beforeHash, afterHash } = edit;
  yield* run([
    "INSERT INTO editedTurns (team, turn, participant, undoes, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ...[team, turnId, participant, undoes, at],
  ]);
  const turn = yield* numberOf("SELECT id AS n FROM editedTurns WHERE team = ? AND turn = ?", team, turnId);
  if (before !== null) yield* run([INSERT_CONTENT, beforeHash, before.length, before]);
  if (after !== null) yield* run([INSERT_CONTENT, afterHash, after.length, after]);
  const id = yield* numberOf(
    `INSERT INTO edits (editedTurn, ref, path, shown, before, after, seq, since) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     RETURNING id AS n`,
    ...[turn, ref, path, shown, beforeHash, afterHash, edit.eventSeq, edit.since],
  );
  yield* dropOldest(turn, edit.maxKept);
  return { turn, id };
}

/** Never drops the current turn. */
function* dropOldest(current: number, maxKept: number): Steps<void> {
  while ((yield* numberOf("SELECT coalesce(sum(size), 0) AS n FROM contents")) > maxKept) {
    const [dropped] = yield* run([
      `DELETE FROM editedTurns WHERE id =
         (SELECT editedTurn FROM edits WHERE editedTurn <> ? GROUP BY editedTurn ORDER BY max(id) LIMIT 1)`,
      current,
    ]);
    if (dropped === 0) return;
  }
}

function* numberOf(sql: string, ...values: readonly SQLInputValue[]): Steps<number> {
  return Number((yield* get(sql, ...values))?.["n"]);
}
