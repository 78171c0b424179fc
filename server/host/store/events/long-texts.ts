import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { CutText } from "../cut-texts.ts";
import type { Database } from "../database.ts";
import { columnsOf, insertSummed, isIntact } from "../row-sums.ts";
import type { Rows, TextsRow } from "../write.ts";

/** How much of a text is in one row, in bytes of UTF-8: it is read in some milliseconds. */
const PIECE = 1024 * 1024;

/** The number in `textUses` of a team's checkpoint; events count from 1. */
export const OF_CHECKPOINT = 0;

const INSERT_PIECE = insertSummed("texts", "OR REPLACE");
const INSERT_USE = insertSummed("textUses", "OR REPLACE");

/** Stores texts. One that is stored already is not stored again. */
export function insertTexts(rows: Rows, { team, seq, texts }: TextsRow): void {
  for (const { place, text } of texts) {
    const bytes = Buffer.from(text);
    const hash = createHash("sha256").update(bytes).digest("hex");
    const pieces = Math.ceil(bytes.length / PIECE);
    if (rows.get("SELECT count(*) AS n FROM texts WHERE hash = ?", hash)?.["n"] !== pieces) {
      for (let n = 0; n < pieces; n++) rows.run(INSERT_PIECE, hash, n, bytes.subarray(n * PIECE, (n + 1) * PIECE));
    }
    rows.run(INSERT_USE, team, seq, place, hash, pieces);
  }
}

/**
 * The texts of an event or a checkpoint, read one piece in each turn of the event loop.
 * @throws Error for one that is damaged.
 */
export async function readTexts(database: Database, team: number, seq: number): Promise<readonly CutText[]> {
  const uses = database.all(
    `SELECT ${columnsOf("textUses").join(", ")} FROM textUses WHERE team = ? AND seq = ?`,
    team,
    seq,
  );
  const texts: CutText[] = [];
  for (const use of uses) {
    if (!isIntact("textUses", use)) throw new Error("The place of a text is damaged.");
    const text = await readText(database, String(use["hash"]), Number(use["pieces"]));
    texts.push({ place: String(use["place"]), text });
  }
  return texts;
}

/** How many bytes the texts of an event have together. None of them is read. */
export function textsSize(database: Database, team: number, seq: number): number {
  const sum = `SELECT sum(length(bytes)) AS size FROM textUses JOIN texts ON texts.hash = textUses.hash
    WHERE team = ? AND seq = ?`;
  return Number(database.get(sum, team, seq)?.["size"] ?? 0);
}

async function readText(database: Database, hash: string, pieces: number): Promise<string> {
  const sql = `SELECT ${columnsOf("texts").join(", ")} FROM texts WHERE hash = ? AND n = ?`;
  const parts: Uint8Array[] = [];
  for (let n = 0; n < pieces; n++) {
    const row = database.get(sql, hash, n);
    const bytes = row?.["bytes"];
    if (row === undefined || !isIntact("texts", row) || !(bytes instanceof Uint8Array))
      throw new Error("A text is damaged.");
    parts.push(bytes);
    await setImmediate();
  }
  return Buffer.concat(parts).toString();
}
