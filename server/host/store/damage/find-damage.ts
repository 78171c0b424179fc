import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { messageOf } from "../../../../shared/contract/errors.ts";
import { isKnownSchema, SCHEMA_VERSION } from "../schema/schema.ts";
import { readWriteAheadLog } from "./write-ahead-log.ts";

/** How much of a file is read to see whether it is a Gavel store, in bytes. */
const START = 256 * 1024;

/** Statements that every store begins with, one of which is enough, as the others may be damaged. */
const OWN_TABLES = ["CREATE TABLE teams", "CREATE TABLE summaries", "CREATE TABLE checkpoints"];

/**
 * What is damaged in the store at `path`, as a phrase; undefined for a store that is whole or new, for one of a newer
 * version, and for a file of another program. No other connection may be open. Reads the whole file, at about 1 GB a second.
 */
export function findDamage(path: string): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isFile() === false) return undefined;
  if (file === undefined || file.size === 0) return wasFilled(path) ? "the file is empty or missing" : undefined;
  if (!isOwn(path)) return undefined;
  if (readWriteAheadLog(path)?.isDamaged === true) return "its write-ahead log is missing, cut or damaged";
  try {
    return damageInside(path);
  } catch (error) {
    return messageOf(error);
  }
}

/** Whether a store has been used here: a new one has no write-ahead log, and no host has run a team with it. */
function wasFilled(path: string): boolean {
  const log = `${path}-wal`;
  return (existsSync(log) && statSync(log).size > 0) || existsSync(join(dirname(path), "hosts"));
}

function isOwn(path: string): boolean {
  const start = Buffer.alloc(Math.min(START, statSync(path).size));
  const file = openSync(path, "r");
  readSync(file, start);
  closeSync(file);
  const log = readWriteAheadLog(path);
  return OWN_TABLES.some((table) => start.includes(table) || log?.pages.some(({ bytes }) => bytes.includes(table)));
}

/** @throws SQLite's error for a file that it cannot read. */
function damageInside(path: string): string | undefined {
  const database = new DatabaseSync(locationOf(path), { readOnly: true });
  try {
    const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (version > SCHEMA_VERSION) return undefined;
    if (!isKnownSchema(database, version)) return "its tables are not those of a Gavel store";
    const [found] = database.prepare("PRAGMA integrity_check(1)").all();
    const text = String(found?.["integrity_check"]);
    return text === "ok" ? undefined : text.replace(/^\*\*\*.*\*\*\*\n/, "");
  } finally {
    database.close();
  }
}

/** Where there is no log, a connection that only reads would make one, which a reading host takes for a writer's. */
function locationOf(path: string): string {
  const hasLog = ["-wal", "-journal"].some((suffix) => existsSync(path + suffix));
  return hasLog ? path : `${pathToFileURL(path).href}?immutable=1`;
}
