import { createHash } from "node:crypto";
import { storageError } from "../../../../shared/contract/errors.ts";
import type { FileEdit, PlannedEdit } from "../../../tools/index.ts";
import type { Database, DatabaseRow } from "../database.ts";
import type { Statement } from "../write.ts";
import type { WriteQueue } from "../write-queue.ts";
import { INSERT_CONTENT } from "./edit-rows.ts";
import { type NamedPath, namedPathsIn } from "./named-paths.ts";

/** The limit on stored file contents, in bytes, for all teams; beyond it the oldest turns can no longer be undone. */
const MAX_KEPT = 200 * 1024 * 1024;

/** How many of a team's turns can be undone. */
const MAX_TURNS = 500;

const COLUMNS = "edits.*, turn, participant, undoes, at";

/** What a group of edits belongs to: one turn of a participant, or one undo. */
export interface EditSource {
  readonly turnId: string;
  readonly participant?: string;
  /** The tool call that made an edit. */
  readonly ref?: string;
  /** Set for an undo: the turn that it undoes, or {@link CHANGES}. */
  readonly undoes?: string;
  /** The team's last event. */
  readonly seq?: number;
  /** In an undo of all edits of the file from one on, the id of that one. */
  readonly since?: number;
}

/** One file in a turn, before its first and after its last edit. `before` and `after` are hashes (see {@link hashOf}). */
export interface JournaledFile {
  readonly path: string;
  readonly shown: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The tool calls that wrote it; none for an undo. */
  readonly refs: readonly string[];
  /** The file was changed from outside between two edits of the turn. */
  readonly isBroken: boolean;
  readonly edits: readonly JournaledEdit[];
}

/** One edit of a file, in the order of their ids. `before` and `after` are hashes. */
export interface JournaledEdit {
  readonly id: number;
  readonly path: string;
  readonly shown: string;
  readonly turnId: string;
  readonly participant: string | undefined;
  /** Set for an edit of an undo. */
  readonly undoes: string | undefined;
  readonly ref: string | undefined;
  readonly at: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The team's last event when it was made; undefined for an undo. */
  readonly seq: number | undefined;
  readonly since: number | undefined;
}

/** What an undo undoes that is not of one turn: what the team changed in some files. */
export const CHANGES = "changes";

/** A turn that edited files, with each file once, sorted by name. */
export interface JournaledTurn {
  readonly turnId: string;
  readonly participant: string | undefined;
  readonly undoes: string | undefined;
  readonly at: string;
  readonly files: readonly JournaledFile[];
}

/** A file that is no longer at `from`, an absolute path. */
export interface MovedFile extends NamedPath {
  readonly from: string;
}

/** The hash of a file's content; null for no file. */
export function hashOf(bytes: Buffer | null): string | null {
  return bytes === null ? null : createHash("sha256").update(bytes).digest("hex");
}

/**
 * The edits that teams made, with the previous contents of the files. An edit is stored before it is made, so that every
 * edit can be undone after a crash. The size is limited: the turns with the oldest edits are dropped first.
 */
export class EditJournal {
  readonly #database: Database;
  readonly #queue: WriteQueue;
  readonly #maxKept: number;

  constructor(database: Database, queue: WriteQueue, maxKept = MAX_KEPT) {
    this.#database = database;
    this.#queue = queue;
    this.#maxKept = maxKept;
  }

  /** Stores an edit of the team with that key durably. @throws GavelError `StorageError`. */
  async add(key: number, source: EditSource, edit: FileEdit): Promise<PlannedEdit> {
    const { path, shown, before, after } = edit;
    const { turn, id } = await this.#queue.write<"edit">({
      kind: "edit",
      edit: {
        team: key,
        turnId: source.turnId,
        participant: source.participant ?? null,
        undoes: source.undoes ?? null,
        ref: source.ref ?? null,
        at: new Date().toISOString(),
        path,
        shown,
        before,
        after,
        eventSeq: source.seq ?? null,
        since: source.since ?? null,
        beforeHash: hashOf(before),
        afterHash: hashOf(after),
        maxKept: this.#maxKept,
      },
    });
    const write = async (...statements: readonly Statement[]): Promise<void> => {
      await this.#queue.write<"run">({ kind: "run", statements });
    };
    return {
      appliedAs: (actual) =>
        write(...(actual === null ? [] : [[INSERT_CONTENT, hashOf(actual), actual.length, actual] as const]), [
          "UPDATE edits SET after = ? WHERE id = ?",
          hashOf(actual),
          id,
        ]),
      failed: () =>
        write(
          ["DELETE FROM edits WHERE id = ?", id],
          [
            "DELETE FROM editedTurns WHERE id = ? AND NOT EXISTS (SELECT 1 FROM edits WHERE editedTurn = ?)",
            turn,
            turn,
          ],
        ),
    };
  }

  /** The team's turns that can be undone, and the undos, the last edited first. */
  async turns(key: number): Promise<readonly JournaledTurn[]> {
    const rows = await this.#database.all(
      `SELECT ${COLUMNS} FROM (SELECT * FROM editedTurns WHERE team = ? ORDER BY id DESC LIMIT ${MAX_TURNS}) AS editedTurns
       JOIN edits ON editedTurn = editedTurns.id ORDER BY edits.id`,
      key,
    );
    const turns = new Map<number, { turn: DatabaseRow; rows: DatabaseRow[] }>();
    for (const row of rows) {
      const id = Number(row["editedTurn"]);
      const entry = turns.get(id) ?? { turn: row, rows: [] };
      entry.rows.push(row);
      // Inserting the turn again moves it behind the turns that were edited earlier.
      turns.delete(id);
      turns.set(id, entry);
    }
    return [...turns.values()].reverse().map(({ turn, rows: edits }) => ({
      turnId: String(turn["turn"]),
      participant: text(turn, "participant") ?? undefined,
      undoes: text(turn, "undoes") ?? undefined,
      at: String(turn["at"]),
      files: filesOf(edits),
    }));
  }

  /** A team's edits of its last turns, in order. */
  async edits(key: number): Promise<readonly JournaledEdit[]> {
    return (await this.turns(key))
      .flatMap(({ files }) => files.flatMap((file) => file.edits))
      .sort((a, b) => a.id - b.id);
  }

  /** The files that teams have edited. */
  files(): Promise<readonly NamedPath[]> {
    return namedPathsIn(this.#database, "edits");
  }

  /**
   * Takes the edits of all teams, and what is kept of them, along with files that were moved. Those of files that were at
   * the new paths before are dropped: an undo of them would change another file. @throws GavelError `StorageError`.
   */
  async moved(moves: readonly MovedFile[]): Promise<void> {
    const known = new Set((await this.files()).map(({ path }) => path));
    const statements = moves
      .filter(({ from, path }) => known.has(from) || known.has(path))
      .flatMap(({ from, path, shown }): readonly Statement[] => [
        ["DELETE FROM edits WHERE path = ?", path],
        ["DELETE FROM keptFiles WHERE path = ?", path],
        ["UPDATE edits SET path = ?, shown = ? WHERE path = ?", path, shown, from],
        ["UPDATE keptFiles SET path = ? WHERE path = ?", path, from],
      ]);
    if (statements.length === 0) return;
    const empty = "DELETE FROM editedTurns WHERE NOT EXISTS (SELECT 1 FROM edits WHERE editedTurn = editedTurns.id)";
    await this.#queue.write<"run">({ kind: "run", statements: [...statements, [empty]] });
  }

  /**
   * A file content by its hash. The store has those of edits since 0.4.0, and of older ones where a later one needs it;
   * undefined for another.
   */
  async content(hash: string): Promise<Buffer | undefined> {
    const bytes = (await this.#database.get("SELECT bytes FROM contents WHERE hash = ?", hash))?.["bytes"];
    return bytes instanceof Uint8Array ? Buffer.from(bytes) : undefined;
  }

  /** A content that an undo needs. @throws GavelError `StorageError` if the store no longer has it. */
  async needed(hash: string): Promise<Buffer> {
    const content = await this.content(hash);
    if (content !== undefined) return content;
    throw storageError(
      `${this.#database.path} no longer contains the file as it was before the edit, so the edit cannot be undone.`,
    );
  }
}

/** Each file of a turn once, sorted by name, because the order of parallel calls has no meaning. */
function filesOf(edits: readonly DatabaseRow[]): readonly JournaledFile[] {
  const files = new Map<string, JournaledFile>();
  for (const row of edits) {
    const path = String(row["path"]);
    const [before, after] = [text(row, "before"), text(row, "after")];
    const ref = text(row, "ref");
    const known = files.get(path);
    const refs = [...(known?.refs ?? []), ...(ref === null ? [] : [ref])];
    const own = [...(known?.edits ?? []), editOf(row)];
    const first = { path, shown: String(row["shown"]), before, after, refs, isBroken: false, edits: own };
    const joined = known && { ...known, after, refs, edits: own, isBroken: known.isBroken || known.after !== before };
    files.set(path, joined ?? first);
  }
  return [...files.values()].sort((a, b) => (a.shown < b.shown ? -1 : 1));
}

function editOf(row: DatabaseRow): JournaledEdit {
  const number = (column: string): number | undefined => (row[column] === null ? undefined : Number(row[column]));
  return {
    id: Number(row["id"]),
    path: String(row["path"]),
    shown: String(row["shown"]),
    turnId: String(row["turn"]),
    participant: text(row, "participant") ?? undefined,
    undoes: text(row, "undoes") ?? undefined,
    ref: text(row, "ref") ?? undefined,
    at: String(row["at"]),
    before: text(row, "before"),
    after: text(row, "after"),
    seq: number("seq"),
    since: number("since"),
  };
}

function text(row: DatabaseRow, column: string): string | null {
  const value = row[column];
  return typeof value === "string" ? value : null;
}
