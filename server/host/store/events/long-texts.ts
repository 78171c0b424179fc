import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { CutText } from "../cut-texts.ts";
import type { Database, DatabaseRow, RowsNow } from "../database.ts";
import { columnsOf, insertSummed, isIntact } from "../row-sums.ts";
import type { TextsRow } from "../write.ts";
import { get, run, type Steps } from "../write-steps.ts";

/** How much of a text is in one row, in bytes of UTF-8: it is read in some milliseconds. */
const PIECE = 1024 * 1024;

/** The number in `textUses` of a team's checkpoint; events count from 1. */
export const OF_CHECKPOINT = 0;

const INSERT_PIECE = insertSummed("texts", "replaced");
const INSERT_USE = insertSummed("textUses", "replaced");

/** Stores texts. One that is stored already is not stored again; with its use it stays. */
export function* insertTexts({ team, seq, texts }: TextsRow): Steps<void> {
  for (const { place, text } of texts) {
    const bytes = Buffer.from(text);
    const hash = createHash("sha256").update(bytes).digest("hex");
    const pieces = Math.ceil(bytes.length / PIECE);
    yield* run([INSERT_USE, team, seq, place, hash, pieces]);
    if ((yield* get("SELECT count(*) AS n FROM texts WHERE hash = ?", hash))?.["n"] === pieces) continue;
    for (let n = 0; n < pieces; n++) yield* run([INSERT_PIECE, hash, n, bytes.subarray(n * PIECE, (n + 1) * PIECE)]);
  }
}

/**
 * The texts of an event or a checkpoint, read one piece in each turn of the event loop.
 * @throws Error for one that is damaged.
 */
export async function readTexts(database: Database, team: number, seq: number): Promise<readonly CutText[]> {
  const texts: CutText[] = [];
  for (const { place, hash, pieces } of await usesOf(database, team, seq))
    texts.push({ place, text: await readText(database, hash, pieces) });
  return texts;
}

/** A text, or its place, is not as it was stored. */
export class DamagedText extends Error {}

/** A text of an event or a checkpoint. */
export interface TextUse {
  readonly place: string;
  readonly hash: string;
  readonly pieces: number;
}

export async function usesOf(database: Database, team: number, seq: number): Promise<readonly TextUse[]> {
  const columns = columnsOf("textUses").join(", ");
  const rows = await database.all(`SELECT ${columns} FROM textUses WHERE team = ? AND seq = ?`, team, seq);
  return rows.map((row) => {
    if (!isIntact("textUses", row)) throw new DamagedText("The place of a text is damaged.");
    return { place: String(row["place"]), hash: String(row["hash"]), pieces: Number(row["pieces"]) };
  });
}

/** How many bytes the texts of an event have together. None of them is read. */
export async function textsSize(database: Database, team: number, seq: number): Promise<number> {
  const sum = `SELECT sum(length(bytes)) AS size FROM textUses JOIN texts ON texts.hash = textUses.hash
    WHERE team = ? AND seq = ?`;
  return Number((await database.get(sum, team, seq))?.["size"] ?? 0);
}

export async function readText(database: Database, hash: string, pieces: number): Promise<string> {
  const parts: Uint8Array[] = [];
  for (let n = 0; n < pieces; n++) {
    parts.push(await readPiece(database, hash, n));
    await setImmediate();
  }
  return textOf(parts);
}

const textOf = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString();

const PIECE_OF = `SELECT ${columnsOf("texts").join(", ")} FROM texts WHERE hash = ? AND n = ?`;

async function readPiece(database: Database, hash: string, n: number): Promise<Uint8Array> {
  return intactPiece(await database.get(PIECE_OF, hash, n));
}

/** A text that is read while the caller waits. @throws DamagedText. */
export function readTextNow(rows: RowsNow, hash: string, pieces: number): string {
  return textOf(Array.from({ length: pieces }, (_, n) => intactPiece(rows.getNow(PIECE_OF, hash, n))));
}

/** @throws DamagedText. */
function intactPiece(row: DatabaseRow | undefined): Uint8Array {
  const bytes = row?.["bytes"];
  if (row !== undefined && isIntact("texts", row) && bytes instanceof Uint8Array) return bytes;
  throw new DamagedText("A text is damaged.");
}
