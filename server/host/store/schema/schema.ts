import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { storageError } from "../../../../shared/contract/errors.ts";
import { defineRowSum, type SummedTable, setSum } from "../row-sums.ts";
import { renameEqualRefs } from "./rename-equal-refs.ts";

/**
 * The store's tables, as migrations from each version to the next. A released migration is never changed. `teams.id`
 * identifies a team in the store and is never reused, so that leftovers of a deleted team cannot be mistaken for another
 * team's.
 */
const MIGRATIONS: readonly (string | ((database: DatabaseSync) => void))[] = [
  `
  CREATE TABLE teams (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    teamId TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL,
    uri TEXT,
    createdAt TEXT NOT NULL
  ) STRICT;
  -- What a list of teams shows. Separate from the definition, which is long and rarely changes.
  CREATE TABLE summaries (
    team INTEGER PRIMARY KEY REFERENCES teams ON DELETE CASCADE,
    status TEXT NOT NULL,
    threadLength INTEGER NOT NULL,
    lastLine TEXT,
    updatedAt TEXT NOT NULL
  ) STRICT;
  CREATE TABLE events (
    team INTEGER NOT NULL REFERENCES teams ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (team, seq)
  ) STRICT, WITHOUT ROWID;
  -- The text of open messages: after a crash it becomes their partials.
  CREATE TABLE chunks (
    team INTEGER NOT NULL REFERENCES teams ON DELETE CASCADE,
    messageId TEXT NOT NULL,
    n INTEGER NOT NULL,
    source TEXT NOT NULL,
    delta TEXT NOT NULL,
    PRIMARY KEY (team, messageId, n)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE checkpoints (
    team INTEGER PRIMARY KEY REFERENCES teams ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    reducer INTEGER NOT NULL,
    json TEXT NOT NULL
  ) STRICT;
  -- Which host runs a team now. A row may name a host that has died (see run-locks.ts).
  CREATE TABLE runs (
    team INTEGER PRIMARY KEY REFERENCES teams ON DELETE CASCADE,
    host TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- A turn that edited files, or an undo of one: turn is its id within the team, undoes the id of the undone turn.
  CREATE TABLE editedTurns (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    team INTEGER NOT NULL REFERENCES teams ON DELETE CASCADE,
    turn TEXT NOT NULL,
    participant TEXT,
    undoes TEXT,
    at TEXT NOT NULL,
    UNIQUE (team, turn)
  ) STRICT;
  -- The edits of a turn, in order. before and after are hashes of the file's content; NULL for no file.
  CREATE TABLE edits (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    editedTurn INTEGER NOT NULL REFERENCES editedTurns ON DELETE CASCADE,
    ref TEXT,
    path TEXT NOT NULL,
    shown TEXT NOT NULL,
    before TEXT,
    after TEXT
  ) STRICT;
  CREATE INDEX editsByTurn ON edits (editedTurn);
  CREATE INDEX editsByBefore ON edits (before);
  -- The contents of files before edits, each stored once, as long as an edit needs it.
  CREATE TABLE contents (
    hash TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;
  CREATE INDEX contentsBySize ON contents (size);
  CREATE TRIGGER dropContent AFTER DELETE ON edits WHEN OLD.before IS NOT NULL BEGIN
    DELETE FROM contents WHERE hash = OLD.before AND NOT EXISTS (SELECT 1 FROM edits WHERE before = OLD.before);
  END;
  `,
  `
  -- The user's rules for tool calls in this workspace.
  CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    json TEXT NOT NULL
  ) STRICT;
  `,
  renameEqualRefs,
  `
  -- The nested team that the text belongs to: the participants that lead to it, as JSON.
  ALTER TABLE chunks ADD COLUMN path TEXT NOT NULL DEFAULT '[]';
  `,
  addSums,
  `
  -- What a transcript is made of, in one row for many events. A row stands for the events from afterSeq + 1 to lastSeq.
  CREATE TABLE segments (
    team INTEGER NOT NULL REFERENCES teams ON DELETE CASCADE,
    afterSeq INTEGER NOT NULL,
    lastSeq INTEGER NOT NULL,
    reducer INTEGER NOT NULL,
    json TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (team, lastSeq)
  ) STRICT;
  `,
  `
  -- The order in which teams were last used: the clock may be set back. The last used has the largest n.
  CREATE TABLE uses (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    team INTEGER NOT NULL UNIQUE REFERENCES teams ON DELETE CASCADE
  ) STRICT;
  INSERT INTO uses (team) SELECT team FROM summaries ORDER BY updatedAt, team;
  CREATE TRIGGER useTeam AFTER UPDATE OF updatedAt ON summaries
  WHEN NEW.team IS NOT (SELECT team FROM uses ORDER BY n DESC LIMIT 1) BEGIN
    INSERT OR REPLACE INTO uses (team) VALUES (NEW.team);
  END;
  `,
  `
  -- How large the conversations of a team are, counted from its events up to lastSeq.
  CREATE TABLE totals (
    team INTEGER PRIMARY KEY REFERENCES teams ON DELETE CASCADE,
    lastSeq INTEGER NOT NULL,
    version INTEGER NOT NULL,
    json TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- Long texts, each once, as long as an event or a checkpoint needs it: its UTF-8 in pieces.
  CREATE TABLE texts (
    hash TEXT NOT NULL,
    n INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (hash, n)
  ) STRICT;
  -- Where a text belongs: in which event, or in the team's checkpoint (seq 0), and the path to it in its JSON.
  CREATE TABLE textUses (
    team INTEGER NOT NULL REFERENCES teams ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    place TEXT NOT NULL,
    hash TEXT NOT NULL,
    pieces INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (team, seq, place)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX textUsesByHash ON textUses (hash);
  CREATE TRIGGER dropText AFTER DELETE ON textUses BEGIN
    DELETE FROM texts WHERE hash = OLD.hash AND NOT EXISTS (SELECT 1 FROM textUses WHERE hash = OLD.hash);
  END;
  `,
  `
  -- The titles of teams that have one, for the list of teams.
  CREATE TABLE titles (
    team INTEGER PRIMARY KEY REFERENCES teams ON DELETE CASCADE,
    title TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- seq: the team's last event when the edit was planned. since: in an undo of all edits of a file from one on, that one.
  ALTER TABLE edits ADD COLUMN seq INTEGER;
  ALTER TABLE edits ADD COLUMN since INTEGER;
  UPDATE edits SET seq = CAST(substr(ref, 6) AS INTEGER) WHERE substr(ref, 1, 5) = 'call_';
  CREATE INDEX editsByAfter ON edits (after);
  -- What the user keeps of a team's edits of a file: those up to the edit upTo, all of them, or where base is not NULL all
  -- but what differs between base and the file as it was then, seen. Both are hashes of contents.
  CREATE TABLE keptFiles (
    team INTEGER NOT NULL REFERENCES teams ON DELETE CASCADE,
    path TEXT NOT NULL,
    upTo INTEGER NOT NULL,
    base TEXT,
    seen TEXT,
    PRIMARY KEY (team, path)
  ) STRICT, WITHOUT ROWID;
  -- Files that changed while a command of a team ran.
  CREATE TABLE commandChanges (
    team INTEGER NOT NULL REFERENCES teams ON DELETE CASCADE,
    ref TEXT NOT NULL,
    path TEXT NOT NULL,
    participant TEXT NOT NULL,
    command TEXT NOT NULL,
    at TEXT NOT NULL,
    shown TEXT NOT NULL,
    change TEXT NOT NULL,
    PRIMARY KEY (team, path)
  ) STRICT, WITHOUT ROWID;
  -- From here on the contents after edits are stored too: with both, an undo keeps what the user has changed elsewhere.
  DROP TRIGGER dropContent;
  CREATE VIEW neededContents AS
    SELECT before AS hash FROM edits UNION ALL SELECT after FROM edits
    UNION ALL SELECT base FROM keptFiles UNION ALL SELECT seen FROM keptFiles;
  CREATE TRIGGER dropContent AFTER DELETE ON edits BEGIN
    DELETE FROM contents WHERE hash IN (OLD.before, OLD.after)
      AND hash NOT IN (SELECT hash FROM neededContents WHERE hash IN (OLD.before, OLD.after));
  END;
  CREATE TRIGGER dropReplacedContent AFTER UPDATE OF after ON edits BEGIN
    DELETE FROM contents WHERE hash = OLD.after
      AND NOT EXISTS (SELECT 1 FROM neededContents WHERE neededContents.hash = OLD.after);
  END;
  CREATE TRIGGER dropKeptContent AFTER DELETE ON keptFiles WHEN OLD.base IS NOT NULL BEGIN
    DELETE FROM contents WHERE hash IN (OLD.base, OLD.seen)
      AND hash NOT IN (SELECT hash FROM neededContents WHERE hash IN (OLD.base, OLD.seen));
  END;
  `,
  (database) => {
    // What the models of a team have used, for the list of teams. As far as that is known: a team that runs stores it again.
    database.exec(`
  CREATE TABLE usages (
    team INTEGER PRIMARY KEY REFERENCES teams ON DELETE CASCADE,
    json TEXT NOT NULL,
    sum INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO usages (team, json)
    SELECT team, json -> '$.usage' FROM checkpoints WHERE json_valid(json) AND json_type(json, '$.usage') = 'object';
  ${setSum("usages", "true")}`);
  },
  `
  -- Where a file was, as it is shown, that a command moved.
  ALTER TABLE commandChanges ADD COLUMN movedFrom TEXT;
  `,
  `
  -- What was in a file when a command moved it: the hash of a content.
  ALTER TABLE commandChanges ADD COLUMN content TEXT;
  DROP VIEW neededContents;
  CREATE VIEW neededContents AS
    SELECT before AS hash FROM edits UNION ALL SELECT after FROM edits
    UNION ALL SELECT base FROM keptFiles UNION ALL SELECT seen FROM keptFiles
    UNION ALL SELECT content FROM commandChanges;
  CREATE TRIGGER dropMovedContent AFTER DELETE ON commandChanges WHEN OLD.content IS NOT NULL BEGIN
    DELETE FROM contents WHERE hash = OLD.content
      AND NOT EXISTS (SELECT 1 FROM neededContents WHERE neededContents.hash = OLD.content);
  END;
  `,
];

/** A checksum for each row, as SQLite does not notice when the disk changes a text. */
function addSums(database: DatabaseSync): void {
  const tables = ["teams", "summaries", "events", "chunks", "checkpoints", "approvals"] as const;
  for (const table of tables satisfies readonly SummedTable[]) {
    database.exec(`ALTER TABLE ${table} ADD COLUMN sum INTEGER NOT NULL DEFAULT 0; ${setSum(table, "true")}`);
  }
}

/** The schema version of this build. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Migrates a store to this build's schema, completely or not at all.
 * @throws GavelError `StorageError` for a store of a newer version or a database of another program, which is not changed.
 */
export function migrate(database: DatabaseSync, path: string): void {
  defineRowSum(database);
  if (schemaVersionOf(database, path) === SCHEMA_VERSION) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another host may have migrated while this one waited for the lock.
    advance(database, schemaVersionOf(database, path), SCHEMA_VERSION);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** Makes the tables of a version in an empty database. */
export function makeTables(database: DatabaseSync, version: number): void {
  defineRowSum(database);
  advance(database, 0, version);
}

/** Whether the tables of a database are exactly those of a version. */
export function isKnownSchema(database: DatabaseSync, version: number): boolean {
  const known = new DatabaseSync(":memory:");
  try {
    makeTables(known, version);
    return isDeepStrictEqual(statementsOf(database), statementsOf(known));
  } finally {
    known.close();
  }
}

function advance(database: DatabaseSync, from: number, to: number): void {
  for (const step of MIGRATIONS.slice(from, to)) {
    if (typeof step === "string") database.exec(step);
    else step(database);
  }
  database.exec(`PRAGMA user_version = ${to}`);
}

const statementsOf = (database: DatabaseSync): unknown =>
  database.prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name").all();

/** @throws GavelError `StorageError` for a store of a newer version or a database of another program. */
export function schemaVersionOf(database: DatabaseSync, path: string): number {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
  if (version > SCHEMA_VERSION) {
    throw storageError(
      `${path} was written by a newer version of Gavel (schema ${version}; this one supports up to ${SCHEMA_VERSION}); update Gavel.`,
    );
  }
  const tables = database.prepare("SELECT count(*) AS n, sum(name = 'teams') AS own FROM sqlite_schema").get();
  if (Number(tables?.["n"]) > 0 && Number(tables?.["own"]) === 0)
    throw storageError(
      `${path} is a database of another program, and was not changed; move it away to start with an empty store.`,
    );
  return version;
}
