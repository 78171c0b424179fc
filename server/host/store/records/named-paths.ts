import type { Database } from "../database.ts";

/** An absolute path, and the name for it that users know. */
export interface NamedPath {
  readonly path: string;
  readonly shown: string;
}

/** The files that a table names, each with the path that users see. */
export async function namedPathsIn(
  database: Database,
  table: "edits" | "commandChanges",
): Promise<readonly NamedPath[]> {
  const rows = await database.all(`SELECT DISTINCT path, shown FROM ${table}`);
  return rows.map(({ path, shown }) => ({ path: String(path), shown: String(shown) }));
}
