import type { Database } from "../database.ts";
import type { Statement } from "../write.ts";
import type { WriteQueue } from "../write-queue.ts";
import { hashOf } from "./edit-journal.ts";
import { INSERT_CONTENT } from "./edit-rows.ts";

/** What the user keeps of a team's edits of a file. */
export interface KeptFile {
  /** The last edit that was there then. */
  readonly upTo: number;
  /**
   * All edits are kept, but for what differs between these two: the file's base, and the file as it was then. Hashes; null
   * when nothing differs.
   */
  readonly base: string | null;
  readonly seen: string | null;
}

/** A part of a team's edits of a file that is kept: the base, and the file as it is now. */
export interface KeptPart {
  readonly base: Buffer;
  readonly seen: Buffer;
}

/** Which edits of each team the user keeps: they are no longer listed as changes. */
export class KeptFiles {
  readonly #database: Database;
  readonly #queue: WriteQueue;

  constructor(database: Database, queue: WriteQueue) {
    this.#database = database;
    this.#queue = queue;
  }

  /** The files of a team of which something is kept, by their absolute paths. */
  async all(key: number): Promise<ReadonlyMap<string, KeptFile>> {
    const rows = await this.#database.all("SELECT path, upTo, base, seen FROM keptFiles WHERE team = ?", key);
    return new Map(
      rows.map(({ path, upTo, base, seen }) => [
        String(path),
        {
          upTo: Number(upTo),
          base: typeof base === "string" ? base : null,
          seen: typeof seen === "string" ? seen : null,
        },
      ]),
    );
  }

  /** Keeps the edits of a file up to `upTo`, or a part of them. @throws GavelError `StorageError`. */
  async keep(key: number, path: string, upTo: number, part?: KeptPart): Promise<void> {
    const contents = part === undefined ? [] : [part.base, part.seen];
    const statements: Statement[] = [
      ["DELETE FROM keptFiles WHERE team = ? AND path = ?", key, path],
      ...contents.map((bytes) => [INSERT_CONTENT, hashOf(bytes), bytes.length, bytes] as const),
      [
        "INSERT INTO keptFiles (team, path, upTo, base, seen) VALUES (?, ?, ?, ?, ?)",
        ...[key, path, upTo, hashOf(part?.base ?? null), hashOf(part?.seen ?? null)],
      ],
    ];
    await this.#queue.write<"run">({ kind: "run", statements });
  }
}
