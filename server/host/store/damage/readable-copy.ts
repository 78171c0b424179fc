import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { columnsOf, isIntact, type SummedTable } from "../row-sums.ts";
import { rawRows } from "./raw-rows.ts";
import { readWriteAheadLog } from "./write-ahead-log.ts";

/** The page size of every store. */
const PAGE = 4096;

export type ReadRow = Readonly<Record<string, SQLOutputValue>>;

/**
 * A copy of a damaged store with as much of it readable as can be: its header is made whole, and the write-ahead log is
 * copied into it. The store itself is not changed.
 */
export class ReadableCopy implements Disposable {
  /** True when commits in the write-ahead log cannot be read any more. */
  readonly isLogDamaged: boolean;
  readonly #path: string;
  readonly #database: DatabaseSync;

  /** @throws Error when the disk is full. */
  constructor(path: string, to: string) {
    this.#path = to;
    if (existsSync(path)) copyFileSync(path, to);
    else writeFileSync(to, "");
    const log = readWriteAheadLog(path);
    this.isLogDamaged = log?.isDamaged === true;
    repairPages(to, log?.pages ?? []);
    this.#database = new DatabaseSync(to, { readOnly: true });
  }

  /** The version that the header names, which may be damaged. */
  get version(): number {
    try {
      return Number(this.#database.prepare("PRAGMA user_version").get()?.["user_version"]);
    } catch {
      return Number.NaN;
    }
  }

  get database(): DatabaseSync {
    return this.#database;
  }

  /** The rows of a table that SQLite can read, from both ends, and whether that is all of them. */
  rows(table: string, order: string): { readonly rows: readonly ReadRow[]; readonly isWhole: boolean } {
    const forwards = this.#read(`SELECT * FROM ${table} ORDER BY ${order}`);
    if (forwards.isWhole) return forwards;
    const descending = order.split(", ").map((column) => `${column} DESC`);
    const backwards = this.#read(`SELECT * FROM ${table} ORDER BY ${descending.join(", ")}`);
    return { rows: [...forwards.rows, ...backwards.rows.toReversed()], isWhole: false };
  }

  /** The rows of a table with checksums that are intact in the file, also where SQLite cannot read it. */
  *intactRows(table: SummedTable, isKeyed: boolean): Generator<ReadRow, void, undefined> {
    const columns = columnsOf(table);
    for (const { rowid, values } of rawRows(this.#path, PAGE)) {
      if (values.length !== columns.length || (rowid === undefined) !== isKeyed) continue;
      // A table's integer key is the row's number, and is not stored in the row.
      const row = Object.fromEntries(
        columns.map((column, at) => [column, at === 0 && rowid !== undefined ? rowid : (values[at] ?? null)]),
      );
      if (isIntact(table, row)) yield row;
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
    rmSync(this.#path, { force: true });
  }

  #read(sql: string): { readonly rows: readonly ReadRow[]; readonly isWhole: boolean } {
    const rows: ReadRow[] = [];
    try {
      for (const row of this.#database.prepare(sql).iterate()) rows.push(row);
      return { rows, isWhole: true };
    } catch {
      return { rows, isWhole: false };
    }
  }
}

/** Writes the pages of the log, and a header that fits the file (sqlite.org/fileformat2.html#the_database_header). */
function repairPages(path: string, pages: readonly { readonly number: number; readonly bytes: Buffer }[]): void {
  const file = openSync(path, "r+");
  try {
    for (const { number, bytes } of pages) writeSync(file, bytes, 0, bytes.length, (number - 1) * PAGE);
    const header = Buffer.alloc(100);
    readSync(file, header, 0, 100, 0);
    header.write("SQLite format 3\0", 0, "latin1");
    header.writeUInt16BE(PAGE, 16);
    // Without a write-ahead log, no reserved bytes, and SQLite's fixed fractions.
    header.set([1, 1, 0, 64, 32, 32], 18);
    header.writeUInt32BE(Math.ceil(fstatSync(file).size / PAGE), 28);
    // The file's format, no default cache, no vacuum, UTF-8.
    for (const [at, value] of [
      [44, 4],
      [48, 0],
      [52, 0],
      [56, 1],
      [64, 0],
    ] as const)
      header.writeUInt32BE(value, at);
    header.copy(header, 92, 24, 28);
    writeSync(file, header, 0, 100, 0);
  } finally {
    closeSync(file);
  }
}
