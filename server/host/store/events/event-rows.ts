import type { DurableEvent, TeamEvent } from "../../../../shared/contract/event.ts";
import { firstLine, textOf } from "../../../../shared/contract/message-text.ts";
import { insertSummed, insertWithSum, summed, updateSummed } from "../row-sums.ts";
import type { EventRow, Statement, TeamRow } from "../write.ts";
import { eventJson } from "./stored-event.ts";

const INSERT_EVENT = insertWithSum("events", "kept");
const INSERT_CHUNK = insertWithSum("chunks", "replaced");
const SET_TITLE = insertSummed("titles", "replaced");
const SET_RUNNING = updateSummed("summaries", { status: "'running'", updatedAt: "?1" }, "team = ?2");
const ADD_MESSAGE = updateSummed(
  "summaries",
  { threadLength: "threadLength + 1", lastLine: "?1", updatedAt: "?2" },
  "team = ?3",
);

/** A condition on the type of a stored event, of which each type is a parameter. One whose type cannot be read has none. */
export const isOfTypes = (types: readonly string[]): string =>
  `CASE WHEN json_valid(json) THEN json ->> '$.type' IN (${types.map(() => "?").join(", ")}) END`;

/** The text of an open message that was not stored yet. */
export interface ChunkRow {
  readonly messageId: string;
  /** Counts up in each message. */
  readonly n: number;
  readonly path: string;
  readonly source: string;
  delta: string;
}

/**
 * What stores an event: its row, and what else is written with it.
 * @throws GavelError `StorageError` for an event that could not be read again.
 */
export function eventRow(key: number, event: DurableEvent): EventRow {
  return { kind: "event", seq: event.seq, ...eventJson(event), following: following(key, event) };
}

/** Inserts an event, or nothing where there is one with its number. */
export function insertEvent(key: number, { seq, json }: EventRow): Statement {
  return summed(INSERT_EVENT, "events", key, seq, json);
}

export function chunkRow(key: number, { messageId, n, path, source, delta }: ChunkRow): TeamRow {
  return { kind: "other", statement: summed(INSERT_CHUNK, "chunks", key, messageId, n, path, source, delta) };
}

/** The nested team of an event as it is stored, JSON: "[]" for the team itself. */
export function pathText({ path = [] }: TeamEvent): string {
  return JSON.stringify(path);
}

/** What is written in the same transaction as an event. A list of teams shows only what happens in the team itself. */
function following(key: number, event: DurableEvent): readonly Statement[] {
  const isOwn = event.path === undefined;
  switch (event.type) {
    case "run/started":
      return isOwn ? [[SET_RUNNING, event.at, key]] : [];
    case "message/added": {
      const { message, at } = event;
      const drop = ["DELETE FROM chunks WHERE team = ? AND messageId = ?", key, message.id] as const;
      return isOwn ? [drop, [ADD_MESSAGE, firstLine(textOf(message)), at, key]] : [drop];
    }
    // The text that came with the calls is stored with them.
    case "tool/requested": {
      const sql = "DELETE FROM chunks WHERE team = ? AND path = ? AND source = ?";
      return [[sql, key, pathText(event), event.participant]];
    }
    case "team/renamed": {
      if (!isOwn) return [];
      const { title } = event;
      return [title === null ? ["DELETE FROM titles WHERE team = ?", key] : [SET_TITLE, key, title]];
    }
    // The end of a nested team's run leaves the text of those who speak beside it.
    case "run/ended":
      return isOwn
        ? [["DELETE FROM chunks WHERE team = ?", key]]
        : [["DELETE FROM chunks WHERE team = ? AND path = ?", key, pathText(event)]];
    default:
      return [];
  }
}
