import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** Stands in a dump for the folder that was open while it was written. */
const WORKSPACE = "@workspace@";

/** A store's database as SQL text that recreates it. The workspace's folder is replaced with a placeholder. */
export function dump(path: string, workspace: string): string {
  const database = new DatabaseSync(path);
  try {
    const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
    const objects = database.prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    );
    const made = objects.all().map(({ type, name, sql }) => ({ type, name: String(name), sql: `${sql};` }));
    const tables = made.filter(({ type }) => type === "table").map(({ name }) => name);
    const lines = [
      `PRAGMA user_version = ${version};`,
      ...made.filter(({ type }) => type === "table").map(({ sql }) => sql),
      ...tables.flatMap((table) => rows(database, table)),
      ...rows(database, "sqlite_sequence", "DELETE FROM sqlite_sequence;"),
      // Last, so that no trigger acts on the rows above.
      ...made.filter(({ type }) => type !== "table").map(({ sql }) => sql),
    ];
    return `${lines.join("\n").replaceAll(workspace, WORKSPACE)}\n`;
  } finally {
    database.close();
  }
}

function rows(database: DatabaseSync, table: string, ...before: readonly string[]): string[] {
  const columns = database.prepare(`PRAGMA table_info(${table})`).all();
  const values = columns.map(({ name }) => `quote(${name})`).join(" || ', ' || ");
  const all = database.prepare(`SELECT ${values} AS row FROM ${table}`).all();
  return [...before, ...all.map(({ row }) => `INSERT INTO ${table} VALUES (${row});`)];
}

/** Makes the database of a dump at `path`, as if it had been written while the folder `workspace` was open. */
export function restore(dumpFile: string, path: string, workspace: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec(readFileSync(dumpFile, "utf8").replaceAll(WORKSPACE, workspace));
  } finally {
    database.close();
  }
}
