import { TeamDefinition } from "../../../../shared/contract/definition.ts";
import { storageError } from "../../../../shared/contract/errors.ts";
import { Usage } from "../../../../shared/contract/message.ts";
import { firstLine, textOf } from "../../../../shared/contract/message-text.ts";
import { TeamStatus, type TeamSummary } from "../../../../shared/contract/team.ts";
import type { TeamState } from "../../../../shared/state/team-state.ts";
import { DamageNotices } from "../damage-notices.ts";
import type { Database, DatabaseRow } from "../database.ts";
import { columnsOf, insertSummed, isIntact, updateSummed } from "../row-sums.ts";
import { damaged } from "../storage-failure.ts";
import type { Statement } from "../write.ts";
import type { WriteQueue } from "../write-queue.ts";
import { creationOf } from "./new-team.ts";

const SET_DEFINITION = updateSummed("teams", { definition: "?1", uri: "?2" }, "id = ?3");
const SET_UPDATED = updateSummed("summaries", { updatedAt: "?1" }, "team = ?2");
const SET_SUMMARY = updateSummed(
  "summaries",
  { status: "?1", threadLength: "?2", lastLine: "?3", updatedAt: "?4" },
  "team = ?5",
);
const SET_USAGE = insertSummed("usages", "replaced");

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
  readonly #queue: WriteQueue;

  readonly #notices: DamageNotices;

  constructor(database: Database, queue: WriteQueue, notices: DamageNotices = new DamageNotices()) {
    this.#database = database;
    this.#queue = queue;
    this.#notices = notices;
  }

  /** @throws GavelError `StorageError`. */
  async create(teamId: string, definition: TeamDefinition, uri: string | undefined, at: string): Promise<void> {
    await this.#write(...creationOf({ teamId, definition, uri, createdAt: at }));
  }

  /** @throws GavelError `StorageError` when the stored definition cannot be read. */
  async get(teamId: string): Promise<TeamRecord | undefined> {
    const row = await this.#row(teamId);
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
  async isDamaged(teamId: string): Promise<boolean> {
    const row = await this.#row(teamId);
    return row !== undefined && definitionIn(row) === undefined;
  }

  async key(teamId: string): Promise<number | undefined> {
    const row = await this.#database.get("SELECT id FROM teams WHERE teamId = ?", teamId);
    return row === undefined ? undefined : Number(row["id"]);
  }

  /** Replaces the definition, and deletes the checkpoint, which was made with the old one. */
  async redefine(key: number, definition: TeamDefinition, uri: string | undefined, at: string): Promise<void> {
    const json = JSON.stringify(definition);
    await this.#write(
      [SET_DEFINITION, json, uri ?? null, key],
      ["DELETE FROM checkpoints WHERE team = ?", key],
      [SET_UPDATED, at, key],
    );
  }

  /** Stores what a list shows of a team at rest. */
  async summarize(key: number, state: TeamState, at: string): Promise<void> {
    const last = state.thread.at(-1);
    const lastLine = last === undefined ? null : firstLine(textOf(last));
    const statements: Statement[] = [
      [SET_SUMMARY, state.status, state.threadLength, lastLine, at, key],
      [SET_USAGE, key, JSON.stringify(state.usage)],
    ];
    await this.#queue.write<"run">({ kind: "run", statements, ifHas: key });
  }

  /** The stored teams, the last used first. */
  async list(): Promise<TeamSummary[]> {
    const rows = await this.#database.all(
      `SELECT summaries.team, teamId, createdAt, uri, status, threadLength, lastLine, updatedAt, summaries.sum,
              title, titles.sum AS titleSum, usages.json, usages.sum AS usageSum,
              CASE WHEN json_valid(definition) THEN definition ->> '$.name' END AS name,
              CASE WHEN json_valid(definition) THEN definition ->> '$.kind' END AS kind
       FROM teams JOIN summaries ON summaries.team = id LEFT JOIN uses ON uses.team = id
            LEFT JOIN titles ON titles.team = id LEFT JOIN usages ON usages.team = id ORDER BY n DESC, id DESC`,
    );
    return rows.flatMap((row) => this.#summary(row));
  }

  async delete(key: number): Promise<void> {
    await this.#write(["DELETE FROM teams WHERE id = ?", key]);
  }

  async #write(...statements: readonly Statement[]): Promise<void> {
    await this.#queue.write<"run">({ kind: "run", statements });
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
    const isUsageIntact = row["usageSum"] === null || isIntact("usages", { ...row, sum: row["usageSum"] ?? null });
    const usage = isUsageIntact ? usageIn(row) : undefined;
    if (!isIntact("summaries", row) || !isUsageIntact) {
      const what = `The entry of team "${teamId}" in the list of teams is damaged in ${this.#database.path}`;
      this.#notices.once(`entry of ${teamId}`, `${what}; it is written again when the team has run.`);
    }
    const uri = text(row, "uri");
    const lastLine = text(row, "lastLine");
    const title = text(row, "title");
    if (title !== undefined && !isIntact("titles", { ...row, sum: row["titleSum"] ?? null })) {
      const what = `The title of team "${teamId}" in the list of teams is damaged in ${this.#database.path}`;
      this.#notices.once(`title of ${teamId}`, `${what}; rename the team to write it again.`);
    }
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
        ...(title === undefined ? {} : { title }),
        ...(usage === undefined ? {} : { usage }),
      },
    ];
  }

  #row(teamId: string): Promise<DatabaseRow | undefined> {
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

/** What the team has used, as it was last at rest; undefined where that is not known. */
function usageIn(row: DatabaseRow): Usage | undefined {
  try {
    return Usage.safeParse(JSON.parse(text(row, "json") ?? "null")).data;
  } catch {
    return undefined;
  }
}

function text(row: DatabaseRow, column: string): string | undefined {
  const value = row[column];
  return typeof value === "string" ? value : undefined;
}
