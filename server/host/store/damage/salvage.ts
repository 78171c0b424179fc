import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { lostEvent } from "../events/stored-event.ts";
import { setSum } from "../row-sums.ts";
import { isKnownSchema, makeTables, SCHEMA_VERSION } from "../schema/schema.ts";
import { ReadableCopy, type ReadRow } from "./readable-copy.ts";

/** What was saved of one team. */
interface SalvagedTeam {
  readonly name: string;
  /** How many events there were, as far as that is known, and how many of them are lost. */
  readonly events: number;
  readonly lost: number;
}

export interface Salvaged {
  readonly teams: readonly SalvagedTeam[];
  /** False when teams, or the last events of a team, may be missing unnoticed. */
  readonly isWhole: boolean;
  /** Rows of other tables that may be lost: what a user calls them. */
  readonly others: readonly string[];
}

/** The tables that are copied as they are, in an order in which each row's team or turn comes before it. */
const OTHERS = [
  { table: "approvals", order: "rowid", name: "rules for tool calls", since: 3 },
  { table: "editedTurns", order: "id", name: "what turns did to files", since: 2 },
  { table: "contents", order: "rowid", name: "the former contents of files", since: 2 },
  { table: "edits", order: "id", name: "what turns did to files", since: 2 },
  { table: "keptFiles", order: "team, path", name: "what turns did to files", since: 12 },
  { table: "commandChanges", order: "team, path", name: "what commands did to files", since: 12 },
  { table: "chunks", order: "team, messageId, n", name: "the text of messages in progress", since: 1 },
  { table: "uses", order: "n", name: "the order of the list of teams", since: 8 },
  { table: "titles", order: "team", name: "the titles of teams", since: 11 },
  { table: "usages", order: "team", name: "what teams have used", since: 13 },
  { table: "texts", order: "rowid", name: "long texts", since: 10 },
  { table: "textUses", order: "team, seq, place", name: "long texts", since: 10 },
] as const;

/** The version from which rows have checksums. */
const SUMS_SINCE = 6;

/**
 * Writes what can be read of the damaged store at `path` into a new store at `to`, team by team. Rows are copied as they
 * are, with their checksums, so that a row that is damaged itself is noticed when it is read.
 * @throws Error when the new store cannot be written.
 */
export function salvage(path: string, to: string): Salvaged {
  using source = new ReadableCopy(path, `${to}-source`);
  const version = versionOf(source);
  rmSync(to, { force: true });
  const target = new DatabaseSync(to);
  try {
    makeTables(target, version);
    target.exec("PRAGMA foreign_keys = OFF; BEGIN");
    const { teams, isWhole } = copyTeams(source, target, version);
    const others = OTHERS.filter(({ since }) => version >= since).filter(
      ({ table, order }) => !copyRows(source, target, table, order),
    );
    dropOrphans(target, version);
    target.exec("COMMIT");
    return { teams, isWhole: isWhole && !source.isLogDamaged, others: [...new Set(others.map(({ name }) => name))] };
  } finally {
    target.close();
  }
}

/** The store's version by its tables, as the header's may be damaged; this build's, where the tables cannot be read. */
function versionOf(source: ReadableCopy): number {
  const isOf = (version: number): boolean => {
    try {
      return version >= 1 && version <= SCHEMA_VERSION && isKnownSchema(source.database, version);
    } catch {
      return false;
    }
  };
  if (isOf(source.version)) return source.version;
  for (let version = 1; version < SCHEMA_VERSION; version++) if (isOf(version)) return version;
  return SCHEMA_VERSION;
}

function copyTeams(source: ReadableCopy, target: DatabaseSync, version: number): Omit<Salvaged, "others"> {
  const hasSums = version >= SUMS_SINCE;
  let isAllWhole = true;
  const rowsOf = (table: "teams" | "events", order: string, keyOf: (row: ReadRow) => string): readonly ReadRow[] => {
    const { rows, isWhole } = source.rows(table, order);
    isAllWhole &&= isWhole;
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    if (!isWhole && hasSums)
      for (const row of source.intactRows(table, table === "events"))
        byKey.set(keyOf(row), byKey.get(keyOf(row)) ?? row);
    return [...byKey.values()];
  };
  for (const row of rowsOf("teams", "id", ({ id }) => String(id))) insert(target, "teams", row);
  for (const row of rowsOf("events", "team, seq", ({ team, seq }) => `${team} ${seq}`)) insert(target, "events", row);
  for (const table of ["checkpoints", "summaries"] as const)
    for (const row of source.rows(table, "team").rows) insert(target, table, row);
  const rows = target.prepare(
    "SELECT id, json_extract(iif(json_valid(definition), definition, '{}'), '$.name') AS name, teamId FROM teams",
  );
  const teams = rows.all().map(({ id, name, teamId }) => {
    makeSummary(target, Number(id), hasSums);
    return { name: String(name ?? teamId), ...markLost(target, Number(id), hasSums) };
  });
  return { teams, isWhole: isAllWhole };
}

/** Whether every row could be read. */
function copyRows(source: ReadableCopy, target: DatabaseSync, table: string, order: string): boolean {
  const { rows, isWhole } = source.rows(table, order);
  for (const row of rows) {
    // A rule that allowed calls may have been limited by one that is lost.
    if (table === "approvals" && !isWhole && /"decision":"allow"/.test(String(row["json"]))) continue;
    insert(target, table, row);
  }
  return isWhole;
}

/** A row that the tables do not accept, such as one without a key, is lost. */
function insert(target: DatabaseSync, table: string, row: ReadRow): void {
  const columns = Object.keys(row);
  const sql = `INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
  try {
    target.prepare(sql).run(...Object.values(row));
  } catch {
    // It is counted as lost.
  }
}

/** An entry for the list; the status says that it has to be computed again, as after a host that was killed. */
function makeSummary(target: DatabaseSync, team: number, hasSums: boolean): void {
  const { changes } = target
    .prepare(
      `INSERT OR IGNORE INTO summaries (team, status, threadLength, updatedAt)
       SELECT id, 'running', (SELECT count(*) FROM events WHERE team = id AND json LIKE '%"type":"message/added"%'), createdAt
       FROM teams WHERE id = ?`,
    )
    .run(team);
  if (changes > 0 && hasSums) target.prepare(setSum("summaries", "team = ?")).run(team);
}

/** Puts an event that says so in the place of the first of each row of lost events. */
function markLost(
  target: DatabaseSync,
  team: number,
  hasSums: boolean,
): { readonly events: number; readonly lost: number } {
  const checkpoint = target.prepare("SELECT seq FROM checkpoints WHERE team = ?").get(team)?.["seq"];
  const gaps: { readonly from: number; readonly to: number; readonly at: string }[] = [];
  let last = 0;
  let at = new Date(0).toISOString();
  for (const { seq, time } of target
    .prepare("SELECT seq, iif(json_valid(json), json ->> '$.at', NULL) AS time FROM events WHERE team = ? ORDER BY seq")
    .iterate(team)) {
    if (Number(seq) > last + 1) gaps.push({ from: last + 1, to: Number(seq) - 1, at: String(time ?? at) });
    last = Number(seq);
    at = String(time ?? at);
  }
  if (Number(checkpoint ?? 0) > last) gaps.push({ from: last + 1, to: Number(checkpoint), at });
  const add = target.prepare("INSERT INTO events (team, seq, json) VALUES (?, ?, ?)");
  for (const { from, to, at: time } of gaps) {
    const which = from === to ? `The event ${from} of this team is` : `The events ${from} to ${to} of this team are`;
    add.run(team, from, JSON.stringify(lostEvent(from, time, `${which} lost: the store was damaged.`)));
    if (hasSums) target.prepare(setSum("events", "team = ? AND seq = ?")).run(team, from);
  }
  const lost = gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  return { events: Math.max(last, Number(checkpoint ?? 0)), lost };
}

/** Removes rows of teams and turns that are lost. */
function dropOrphans(target: DatabaseSync, version: number): void {
  const added = [
    ...(version >= 2 ? ["editedTurns"] : []),
    ...(version >= 8 ? ["uses"] : []),
    ...(version >= 10 ? ["textUses"] : []),
    ...(version >= 11 ? ["titles"] : []),
    ...(version >= 12 ? ["keptFiles", "commandChanges"] : []),
    ...(version >= 13 ? ["usages"] : []),
  ];
  for (const table of ["summaries", "events", "chunks", "checkpoints", ...added])
    target.exec(`DELETE FROM ${table} WHERE team NOT IN (SELECT id FROM teams)`);
  if (version >= 2) target.exec("DELETE FROM edits WHERE editedTurn NOT IN (SELECT id FROM editedTurns)");
}
