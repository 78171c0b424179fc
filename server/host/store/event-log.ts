import type { DurableEvent } from "../../../shared/contract/event.ts";
import { DamageNotices } from "./damage-notices.ts";
import type { Database, DatabaseRow } from "./database.ts";
import { columnsOf, isIntact } from "./row-sums.ts";
import { damaged } from "./storage-failure.ts";
import { lostEvent, readEvent } from "./stored-event.ts";

/** How many events are read at a time when all are read, so that no statement stays open while they are processed. */
const PAGE = 1_000;

/** How long the JSON of the events of one page is together, in bytes: a page is one answer. */
const MAX_BYTES = 32_000_000;

/**
 * The stored events of each team, in order, and the text of open messages. In the place of an event that cannot be read
 * there is an `error` event that says so, and the rest of the team is as it was.
 */
export class EventLog {
  readonly #database: Database;
  readonly #notices: DamageNotices;

  constructor(database: Database, notices: DamageNotices = new DamageNotices()) {
    this.#database = database;
    this.#notices = notices;
  }

  /**
   * The events after `after`, at most `limit`, and fewer where they are long, but at least one if there is any; only those
   * of `types` if given.
   */
  page(key: number, after: number, limit: number, types?: readonly string[]): DurableEvent[] {
    // An event whose type cannot be read is of no type, and is left out.
    const ofTypes =
      types === undefined
        ? ""
        : "AND CASE WHEN json_valid(json) THEN json ->> '$.type' IN (SELECT value FROM json_each(?)) END";
    const where = `WHERE team = ? AND seq > ? ${ofTypes} ORDER BY seq LIMIT ?`;
    const given = [key, after, ...(types === undefined ? [] : [JSON.stringify(types)])];
    const sizes = this.#database.all(`SELECT octet_length(json) AS size FROM events ${where}`, ...given, limit);
    const rows = this.#database.all(`SELECT team, seq, json, sum FROM events ${where}`, ...given, fitting(sizes));
    return rows.map((row) => this.#event(key, row));
  }

  /** The events after `after`, up to the one with the number `until`. */
  *all(key: number, after = 0, until = Number.MAX_SAFE_INTEGER): Generator<DurableEvent, void, undefined> {
    for (let last = after; last < until; ) {
      const limit = Math.min(PAGE, until - last);
      const events = this.page(key, last, limit);
      for (const event of events) if (event.seq <= until) yield event;
      const end = events.at(-1);
      if (end === undefined) return;
      last = end.seq;
    }
  }

  /** The `seq` of the last event, 0 before the first. */
  lastSeq(key: number): number {
    return Number(this.#database.get("SELECT max(seq) AS seq FROM events WHERE team = ?", key)?.["seq"] ?? 0);
  }

  /** The text so far of the open messages, by message id. */
  openTexts(key: number): ReadonlyMap<string, string> {
    const columns = columnsOf("chunks").join(", ");
    const rows = this.#database.all(`SELECT ${columns} FROM chunks WHERE team = ? ORDER BY messageId, n`, key);
    const texts = new Map<string, string>();
    for (const row of rows) {
      if (!isIntact("chunks", row)) {
        const what = `${this.#database.path} contains a part of a message in progress that is damaged`;
        this.#notices.once(`chunks of ${key}`, `${what}: that part is left out.`);
        continue;
      }
      const id = String(row["messageId"]);
      texts.set(id, (texts.get(id) ?? "") + String(row["delta"]));
    }
    return texts;
  }

  #event(key: number, row: DatabaseRow): DurableEvent {
    const seq = Number(row["seq"]);
    const json = String(row["json"]);
    try {
      if (isIntact("events", row)) return readEvent(seq, json);
    } catch {
      // An event of a newer version.
    }
    const where = `${this.#database.path} contains ${damaged(`an event (number ${seq})`)}`;
    this.#notices.once(`events of ${key}`, `${where}: it is left out, and the rest of its team is kept.`);
    return lostEvent(seq, timeIn(json), `${where}, so it is left out.`);
  }
}

/** How many of the first rows fit into a page; at least one. */
function fitting(sizes: readonly DatabaseRow[]): number {
  let left = MAX_BYTES;
  const beyond = sizes.findIndex(({ size }, at) => {
    left -= Number(size);
    return left < 0 && at > 0;
  });
  return beyond < 0 ? sizes.length : beyond;
}

/** The time of an event that cannot be read otherwise; 1970 if that is damaged too. */
function timeIn(json: string): string {
  const [, at = ""] = /"at":"([^"]{1,40})"/.exec(json.slice(0, 200)) ?? [];
  return new Date(Number.isNaN(Date.parse(at)) ? 0 : at).toISOString();
}
