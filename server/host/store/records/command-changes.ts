import type { Database } from "../database.ts";
import type { Statement } from "../write.ts";
import type { WriteQueue } from "../write-queue.ts";
import { hashOf, type MovedFile } from "./edit-journal.ts";
import { INSERT_CONTENT } from "./edit-rows.ts";
import { type NamedPath, namedPathsIn } from "./named-paths.ts";

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
  /** The hash of what was in it when it was moved, where that is stored. */
  readonly content?: string;
}

const COLUMNS = ["ref", "participant", "command", "at", "shown", "change", "movedFrom", "content"];

const INSERT_CHANGE = `INSERT INTO commandChanges (team, path, ${COLUMNS.join(", ")})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (team, path) DO UPDATE SET ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(", ")}`;

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

  /**
   * Lists changes in the place of earlier ones of the same paths, and of `replaced`. `contents` are those of moved files.
   * @throws GavelError `StorageError`.
   */
  async add(
    key: number,
    changes: readonly CommandChange[],
    replaced: readonly string[] = [],
    contents: readonly Buffer[] = [],
  ): Promise<void> {
    const added = new Set(changes.map(({ path }) => path));
    const statements = [
      ...contents.map((bytes): Statement => [INSERT_CONTENT, hashOf(bytes), bytes.length, bytes]),
      ...changes.map(
        ({ ref, path, participant, command, at, shown, change, from = null, content = null }): Statement => [
          INSERT_CHANGE,
          ...[key, path, ref, participant, command, at, shown, change, from, content],
        ],
      ),
      ...dropped(
        key,
        replaced.filter((path) => !added.has(path)),
      ),
    ];
    if (statements.length > 0) await this.#queue.write<"run">({ kind: "run", statements });
  }

  /** Those of a team, the last first. */
  async all(key: number): Promise<readonly CommandChange[]> {
    const rows = await this.#database.all(
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
      ...(typeof row["content"] === "string" ? { content: row["content"] } : {}),
    }));
  }

  /** The files in the lists of all teams. */
  files(): Promise<readonly NamedPath[]> {
    return namedPathsIn(this.#database, "commandChanges");
  }

  /**
   * Follows files that were moved since. One that is back where it was first has not changed.
   * @throws GavelError `StorageError`.
   */
  async moved(moves: readonly MovedFile[]): Promise<void> {
    const known = new Set((await this.files()).map(({ path }) => path));
    const statements = moves
      .filter(({ from, path }) => known.has(from) || known.has(path))
      .flatMap(({ from, path, shown }): readonly Statement[] => [
        ["DELETE FROM commandChanges WHERE path = ?", path],
        ["DELETE FROM commandChanges WHERE path = ? AND movedFrom = ?", from, shown],
        ["UPDATE commandChanges SET path = ?, shown = ? WHERE path = ?", path, shown, from],
      ]);
    if (statements.length > 0) await this.#queue.write<"run">({ kind: "run", statements });
  }

  /** Removes some of them from the list. @throws GavelError `StorageError`. */
  async drop(key: number, paths: readonly string[]): Promise<void> {
    const statements = dropped(key, paths);
    if (statements.length > 0) await this.#queue.write<"run">({ kind: "run", statements });
  }
}

const dropped = (key: number, paths: readonly string[]): readonly Statement[] =>
  paths.map((path) => ["DELETE FROM commandChanges WHERE team = ? AND path = ?", key, path]);
