import type { Database } from "../database.ts";
import type { Statement } from "../write.ts";
import type { WriteQueue } from "../write-queue.ts";

/** A file that changed while a command ran. */
export interface CommandChange {
  readonly ref: string;
  readonly participant: string;
  readonly command: string;
  readonly at: string;
  /** Absolute. */
  readonly path: string;
  readonly shown: string;
  readonly change: "created" | "changed" | "deleted";
  /** Where a created file was before. */
  readonly from?: string;
}

/** How many are listed for a team. */
const MAX_LISTED = 500;

/** The files that changed while commands of teams ran: each with the last such command, until the user keeps it. */
export class CommandChanges {
  readonly #database: Database;
  readonly #queue: WriteQueue;

  constructor(database: Database, queue: WriteQueue) {
    this.#database = database;
    this.#queue = queue;
  }

  /** @throws GavelError `StorageError`. */
  async add(key: number, changes: readonly CommandChange[]): Promise<void> {
    const statements = changes.map(
      ({ ref, path, participant, command, at, shown, change, from = null }): Statement => [
        `INSERT OR REPLACE INTO commandChanges (team, ref, path, participant, command, at, shown, change, movedFrom)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[key, ref, path, participant, command, at, shown, change, from],
      ],
    );
    if (statements.length > 0) await this.#queue.write<"run">({ kind: "run", statements });
  }

  /** Those of a team, the last first. */
  all(key: number): readonly CommandChange[] {
    const rows = this.#database.all(
      `SELECT * FROM commandChanges WHERE team = ? ORDER BY at DESC, shown LIMIT ${MAX_LISTED}`,
      key,
    );
    return rows.map((row) => ({
      ref: String(row["ref"]),
      participant: String(row["participant"]),
      command: String(row["command"]),
      at: String(row["at"]),
      path: String(row["path"]),
      shown: String(row["shown"]),
      change: row["change"] === "created" || row["change"] === "deleted" ? row["change"] : "changed",
      ...(typeof row["movedFrom"] === "string" ? { from: row["movedFrom"] } : {}),
    }));
  }

  /** Removes some of them from the list. @throws GavelError `StorageError`. */
  async drop(key: number, paths: readonly string[]): Promise<void> {
    const statements = paths.map(
      (path): Statement => ["DELETE FROM commandChanges WHERE team = ? AND path = ?", key, path],
    );
    if (statements.length > 0) await this.#queue.write<"run">({ kind: "run", statements });
  }
}
