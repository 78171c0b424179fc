import { DurableEvent } from "../../../shared/contract/event.ts";
import type { Database, DatabaseRow } from "./database.ts";
import { damagedRow } from "./storage-failure.ts";

/** How many events are read at a time when all are read, so that no statement stays open while they are processed. */
const PAGE = 1_000;

/** The stored events of each team, in order, and the text of open messages. */
export class EventLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The events after `after`, at most `limit`; only those of `types` if given.
   * @throws GavelError `StorageError` for an event that cannot be parsed.
   */
  page(key: number, after: number, limit: number, types?: readonly string[]): DurableEvent[] {
    const ofTypes = types === undefined ? "" : "AND json ->> '$.type' IN (SELECT value FROM json_each(?))";
    const rows = this.#database.all(
      `SELECT seq, json FROM events WHERE team = ? AND seq > ? ${ofTypes} ORDER BY seq LIMIT ?`,
      key,
      after,
      ...(types === undefined ? [] : [JSON.stringify(types)]),
      limit,
    );
    return rows.map((row) => this.#event(row));
  }

  *all(key: number, after = 0): Generator<DurableEvent, void, undefined> {
    for (let last = after; ; ) {
      const events = this.page(key, last, PAGE);
      yield* events;
      const end = events.at(-1);
      if (end === undefined || events.length < PAGE) return;
      last = end.seq;
    }
  }

  /** The `seq` of the last event, 0 before the first. */
  lastSeq(key: number): number {
    return Number(this.#database.get("SELECT max(seq) AS seq FROM events WHERE team = ?", key)?.["seq"] ?? 0);
  }

  /** The text so far of the open messages, by message id. */
  openTexts(key: number): ReadonlyMap<string, string> {
    const rows = this.#database.all("SELECT messageId, delta FROM chunks WHERE team = ? ORDER BY messageId, n", key);
    const texts = new Map<string, string>();
    for (const row of rows) {
      const id = String(row["messageId"]);
      texts.set(id, (texts.get(id) ?? "") + String(row["delta"]));
    }
    return texts;
  }

  #event(row: DatabaseRow): DurableEvent {
    try {
      return DurableEvent.parse(JSON.parse(String(row["json"])));
    } catch (error) {
      throw damagedRow(this.#database.path, `an event (number ${String(row["seq"])})`, error);
    }
  }
}
