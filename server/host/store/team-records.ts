import { TeamDefinition } from "../../../shared/contract/definition.ts";
import { storageError } from "../../../shared/contract/errors.ts";
import { firstLine, textOf } from "../../../shared/contract/message-text.ts";
import { TeamStatus, type TeamSummary } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { DamageNotices } from "./damage-notices.ts";
import type { Database, DatabaseRow } from "./database.ts";
import { columnsOf, isIntact, setSum } from "./row-sums.ts";
import { damaged } from "./storage-failure.ts";

const SUM_TEAM = setSum("teams", "id = ?");
const SUM_SUMMARY = setSum("summaries", "team = ?");

/** A stored team without its events. */
export interface TeamRecord {
  /** The store's number for the team. */
  readonly key: number;
  readonly teamId: string;
  readonly definition: TeamDefinition;
  readonly uri: string | undefined;
}

/** The teams of a store: their definitions, and what a list shows of them. */
export class TeamRecords {
  readonly #database: Database;

  readonly #notices: DamageNotices;

  constructor(database: Database, notices: DamageNotices = new DamageNotices()) {
    this.#database = database;
    this.#notices = notices;
  }

  create(teamId: string, definition: TeamDefinition, uri: string | undefined, at: string): void {
    this.#database.transaction(() => {
      const { id } = this.#database.get(
        "INSERT INTO teams (teamId, definition, uri, createdAt) VALUES (?, ?, ?, ?) RETURNING id",
        teamId,
        JSON.stringify(definition),
        uri ?? null,
        at,
      ) ?? { id: null };
      const key = id ?? null;
      this.#database.run(
        "INSERT INTO summaries (team, status, threadLength, updatedAt) VALUES (?, 'idle', 0, ?)",
        key,
        at,
      );
      this.#database.run(SUM_TEAM, key);
      this.#database.run(SUM_SUMMARY, key);
    });
  }

  /** @throws GavelError `StorageError` when the stored definition cannot be read. */
  get(teamId: string): TeamRecord | undefined {
    const row = this.#row(teamId);
    if (row === undefined) return undefined;
    const definition = definitionIn(row);
    if (definition === undefined) {
      const where = `${this.#database.path} contains ${damaged(`the definition of team "${teamId}"`)}`;
      throw storageError(`${where}; open the team with its team file to give it a definition again.`);
    }
    if (!isIntact("teams", row)) {
      const what = `The definition of team "${teamId}" in ${this.#database.path} has been changed by damage to the file`;
      this.#notices.once(`team ${teamId}`, `${what}; check it, or open the team with its team file.`);
    }
    return { key: Number(row["id"]), teamId, definition, uri: text(row, "uri") };
  }

  /** Whether there is a team of that id whose definition cannot be read. */
  isDamaged(teamId: string): boolean {
    const row = this.#row(teamId);
    return row !== undefined && definitionIn(row) === undefined;
  }

  key(teamId: string): number | undefined {
    const row = this.#database.get("SELECT id FROM teams WHERE teamId = ?", teamId);
    return row === undefined ? undefined : Number(row["id"]);
  }

  /** Replaces the definition, and deletes the checkpoint, which was made with the old one. */
  redefine(key: number, definition: TeamDefinition, uri: string | undefined, at: string): void {
    this.#database.transaction(() => {
      const json = JSON.stringify(definition);
      this.#database.run("UPDATE teams SET definition = ?, uri = ? WHERE id = ?", json, uri ?? null, key);
      this.#database.run("DELETE FROM checkpoints WHERE team = ?", key);
      this.#database.run("UPDATE summaries SET updatedAt = ? WHERE team = ?", at, key);
      this.#database.run(SUM_TEAM, key);
      this.#database.run(SUM_SUMMARY, key);
    });
  }

  /** Stores what a list shows of a team at rest. */
  summarize(key: number, state: TeamState, at: string): void {
    const last = state.thread.at(-1);
    this.#database.run(
      "UPDATE summaries SET status = ?, threadLength = ?, lastLine = ?, updatedAt = ? WHERE team = ?",
      state.status,
      state.threadLength,
      last === undefined ? null : firstLine(textOf(last)),
      at,
      key,
    );
    this.#database.run(SUM_SUMMARY, key);
  }

  /** The stored teams, the last used first. */
  list(): TeamSummary[] {
    const rows = this.#database.all(
      `SELECT team, teamId, createdAt, uri, status, threadLength, lastLine, updatedAt, summaries.sum,
              CASE WHEN json_valid(definition) THEN definition ->> '$.name' END AS name,
              CASE WHEN json_valid(definition) THEN definition ->> '$.kind' END AS kind
       FROM teams JOIN summaries ON team = id ORDER BY updatedAt DESC, id DESC`,
    );
    return rows.flatMap((row) => this.#summary(row));
  }

  delete(key: number): void {
    this.#database.run("DELETE FROM teams WHERE id = ?", key);
  }

  /** A row that cannot be parsed is left out, so that the other teams can still be opened. */
  #summary(row: DatabaseRow): TeamSummary[] {
    const status = TeamStatus.safeParse(row["status"]);
    const kind = TeamDefinition.shape.kind.safeParse(row["kind"]);
    const teamId = text(row, "teamId") ?? "";
    if (!status.success || !kind.success) {
      const where = `${this.#database.path} contains ${damaged(`the team "${teamId}"`)}`;
      this.#notices.once(`entry of ${teamId}`, `${where}: it is left out of the list.`);
      return [];
    }
    if (!isIntact("summaries", row)) {
      const what = `The entry of team "${teamId}" in the list of teams is damaged in ${this.#database.path}`;
      this.#notices.once(`entry of ${teamId}`, `${what}; it is written again when the team has run.`);
    }
    const uri = text(row, "uri");
    const lastLine = text(row, "lastLine");
    return [
      {
        teamId,
        name: text(row, "name") ?? "",
        kind: kind.data,
        status: status.data,
        threadLength: Number(row["threadLength"]),
        createdAt: text(row, "createdAt") ?? "",
        updatedAt: text(row, "updatedAt") ?? "",
        ...(uri === undefined ? {} : { uri }),
        ...(lastLine === undefined ? {} : { lastLine }),
      },
    ];
  }

  #row(teamId: string): DatabaseRow | undefined {
    return this.#database.get(`SELECT ${columnsOf("teams").join(", ")} FROM teams WHERE teamId = ?`, teamId);
  }
}

function definitionIn(row: DatabaseRow): TeamDefinition | undefined {
  try {
    return TeamDefinition.parse(JSON.parse(text(row, "definition") ?? ""));
  } catch {
    return undefined;
  }
}

function text(row: DatabaseRow, column: string): string | undefined {
  const value = row[column];
  return typeof value === "string" ? value : undefined;
}
