import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { Statement } from "./write.ts";

/** The columns that the `sum` of a row in each table covers. */
const COLUMNS = {
  teams: ["id", "teamId", "definition", "uri", "createdAt"],
  summaries: ["team", "status", "threadLength", "lastLine", "updatedAt"],
  titles: ["team", "title"],
  usages: ["team", "json"],
  events: ["team", "seq", "json"],
  chunks: ["team", "messageId", "n", "path", "source", "delta"],
  checkpoints: ["team", "seq", "reducer", "json"],
  approvals: ["id", "json"],
  totals: ["team", "lastSeq", "version", "json"],
  texts: ["hash", "n", "bytes"],
  textUses: ["team", "seq", "place", "hash", "pieces"],
  segments: ["team", "afterSeq", "lastSeq", "reducer", "json"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type SummedTable = keyof typeof COLUMNS;

/** The columns that identify a row. */
const KEYS: Readonly<Record<SummedTable, readonly string[]>> = {
  teams: ["id"],
  summaries: ["team"],
  titles: ["team"],
  usages: ["team"],
  events: ["team", "seq"],
  chunks: ["team", "messageId", "n"],
  checkpoints: ["team"],
  approvals: ["id"],
  totals: ["team"],
  texts: ["hash", "n"],
  textUses: ["team", "seq", "place"],
  segments: ["team", "lastSeq"],
};

/** What becomes of a row that is there already: the insert fails if left out. */
type Existing = "kept" | "replaced";

/** The columns of a table that its checksum covers, and the checksum. */
export const columnsOf = (table: SummedTable): readonly string[] => [...COLUMNS[table], "sum"];

/** SQL that sets the checksum of the rows of a table that `where` selects. The function is {@link defineRowSum}'s. */
export const setSum = (table: SummedTable, where: string): string =>
  `UPDATE ${table} SET sum = rowSum('${table}', ${COLUMNS[table].join(", ")}) WHERE ${where}`;

/** SQL that changes columns of the rows that `where` selects, and their checksum. `to` has the new value of each, in SQL. */
export function updateSummed(table: SummedTable, to: Readonly<Record<string, string>>, where: string): string {
  const changes = Object.entries(to).map(([column, value]) => `${column} = ${value}`);
  const columns = COLUMNS[table].map((column) => to[column] ?? column);
  const sum = `rowSum('${table}', ${columns.join(", ")})`;
  return `UPDATE ${table} SET ${[...changes, `sum = ${sum}`].join(", ")} WHERE ${where}`;
}

/**
 * Inserts a row with its checksum, which is made here: of a row that is inserted often, a call from SQL would cost more than
 * the rest. The values are those of the columns that the checksum covers, in order; see {@link insertWithSum}.
 */
export const summed = (sql: string, table: SummedTable, ...values: readonly SQLInputValue[]): Statement => [
  sql,
  ...values,
  rowSum(table, ...values),
];

/** SQL that inserts a row; the last parameter is its checksum. */
export function insertWithSum(table: SummedTable, existing?: Existing): string {
  const columns = columnsOf(table);
  return `${insertInto(table)} VALUES (${columns.map(() => "?").join(", ")}) ${onConflict(table, existing)}`;
}

/** SQL that inserts a row with its checksum; the parameters are the columns that the checksum covers, in order. */
export function insertSummed(table: SummedTable, existing?: Existing): string {
  const parameters = COLUMNS[table].map((_, at) => `?${at + 1}`).join(", ");
  return `${insertInto(table)} VALUES (${parameters}, rowSum('${table}', ${parameters})) ${onConflict(table, existing)}`;
}

const insertInto = (table: SummedTable): string => `INSERT INTO ${table} (${columnsOf(table).join(", ")})`;

function onConflict(table: SummedTable, existing: Existing | undefined): string {
  if (existing === undefined) return "";
  if (existing === "kept") return "ON CONFLICT DO NOTHING";
  const keys = KEYS[table];
  const others = columnsOf(table).filter((column) => !keys.includes(column));
  return `ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${others.map((each) => `${each} = excluded.${each}`).join(", ")}`;
}

/** Marks a row of a server, which has checksums of its own. The client of the server is a bundle of its own. */
export const CHECKED: unique symbol = Symbol.for("gavel.checkedByServer");

/** Whether a row is as it was written. It has to have all columns of {@link columnsOf}. */
export function isIntact(
  table: SummedTable,
  row: Readonly<Record<string, SQLOutputValue>> & { readonly [CHECKED]?: true },
): boolean {
  if (row[CHECKED] === true) return true;
  return row["sum"] === rowSum(table, ...COLUMNS[table].map((column) => row[column] ?? null));
}

/** Makes the function `rowSum(table, ...columns)` available to the SQL of a connection. */
export function defineRowSum(database: DatabaseSync): void {
  database.function("rowSum", { deterministic: true, varargs: true }, rowSum);
}

/** A CRC-32 of the values of a row, which finds every change of one bit. */
function rowSum(...values: readonly SQLInputValue[]): number {
  let sum = 0;
  for (const value of values) {
    sum = crc32(value === null ? "\0\0" : "\0", sum);
    if (value !== null) sum = crc32(ArrayBuffer.isView(value) ? value : String(value), sum);
  }
  return sum;
}
