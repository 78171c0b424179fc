import { setImmediate } from "node:timers/promises";
import type { DurableEvent } from "../../../../shared/contract/event.ts";
import { isRecord } from "../../../../shared/json-record.ts";
import { type CutText, hasTexts, withTexts } from "../cut-texts.ts";
import { DamageNotices } from "../damage-notices.ts";
import type { Database, DatabaseRow } from "../database.ts";
import { columnsOf, isIntact } from "../row-sums.ts";
import { damaged } from "../storage-failure.ts";
import { isOfTypes } from "./event-rows.ts";
import { laterTexts, withLaterTexts } from "./later-texts.ts";
import { readText, readTexts, textsSize, usesOf } from "./long-texts.ts";
import { isSendable, MOST_SENT, unsendable } from "./sendable.ts";
import { StateTexts } from "./state-texts.ts";
import { lostEvent, readEvent } from "./stored-event.ts";

/** How many events are read in one turn of the event loop, and how many bytes of JSON, except for a longer event. */
const PART = 250;
const PART_BYTES = 1_000_000;

/** How long the JSON of the events of one page is together, in bytes: a page is one answer. */
const PAGE_BYTES = 32_000_000;

/**
 * What events are read for: as they are; to be sent, which one that is longer than a text can be is not; for a transcript,
 * which uses few of their long texts; or for the state of a team, which is made of some of them.
 */
export type EventUse = "whole" | "sent" | "history" | StateTexts;

interface EventsPart {
  readonly events: DurableEvent[];
  readonly bytes: number;
}

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
  async page(key: number, after: number, limit: number, types?: readonly string[]): Promise<DurableEvent[]> {
    const events: DurableEvent[] = [];
    let bytes = 0;
    for (let last = after; events.length < limit; await setImmediate()) {
      const part = await this.#part(key, last, Math.min(PART, limit - events.length), "sent", types);
      if (events.length > 0 && bytes + part.bytes > PAGE_BYTES) break;
      events.push(...part.events);
      bytes += part.bytes;
      const end = part.events.at(-1);
      if (end === undefined) break;
      last = end.seq;
    }
    return events;
  }

  /** The events after `after`, up to the one with the number `until`, in parts. */
  async *parts(
    key: number,
    after = 0,
    until = Number.MAX_SAFE_INTEGER,
    use: EventUse = "whole",
  ): AsyncGenerator<readonly DurableEvent[], void, undefined> {
    for (let last = after; last < until; await setImmediate()) {
      const { events } = await this.#part(key, last, Math.min(PART, until - last), use);
      const end = events.at(-1);
      if (end === undefined) return;
      yield end.seq <= until ? events : events.filter(({ seq }) => seq <= until);
      last = end.seq;
    }
  }

  /** All of {@link parts}. */
  async all(key: number, after?: number, until?: number, use?: EventUse): Promise<DurableEvent[]> {
    const events: DurableEvent[] = [];
    for await (const part of this.parts(key, after, until, use)) events.push(...part);
    return events;
  }

  /** Which long texts of the events after `after` the team's state is made of; undefined if there are none. */
  stateTexts(key: number, after: number): Promise<StateTexts | undefined> {
    return StateTexts.find(this.#database, key, after);
  }

  /** The `seq` of the last event, 0 before the first. */
  async lastSeq(key: number): Promise<number> {
    return Number((await this.#database.get("SELECT max(seq) AS seq FROM events WHERE team = ?", key))?.["seq"] ?? 0);
  }

  /** The text so far of the open messages, by message id. */
  async openTexts(key: number): Promise<ReadonlyMap<string, string>> {
    const columns = columnsOf("chunks").join(", ");
    const rows = await this.#database.all(`SELECT ${columns} FROM chunks WHERE team = ? ORDER BY messageId, n`, key);
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

  /** So many of the events, or as many as can be read at once. */
  async #part(
    key: number,
    after: number,
    limit: number,
    use: EventUse,
    types?: readonly string[],
  ): Promise<EventsPart> {
    // An event whose type cannot be read is of no type, and is left out.
    const ofTypes = types === undefined ? "" : `AND ${isOfTypes(types)}`;
    const where = `WHERE team = ? AND seq > ? ${ofTypes} ORDER BY seq LIMIT ?`;
    const given = [key, after, ...(types ?? [])];
    const sizes = await this.#database.all(`SELECT octet_length(json) AS size FROM events ${where}`, ...given, limit);
    const { rows: fit, bytes } = fitting(sizes);
    const rows = await this.#database.all(`SELECT team, seq, json, sum FROM events ${where}`, ...given, fit);
    const events: DurableEvent[] = [];
    // A page is one answer, so long texts count too.
    let texts = 0;
    for (const row of rows) {
      const event = this.#event(key, row, use, (length) => (texts += length));
      events.push(event instanceof Promise ? await event : event);
      if (texts > PART_BYTES) break;
    }
    return { events, bytes: bytes + texts };
  }

  /** The event of a row; `read` is called with the length of each text that is stored apart and read. */
  #event(
    key: number,
    row: DatabaseRow,
    use: EventUse,
    read: (length: number) => void,
  ): DurableEvent | Promise<DurableEvent> {
    const seq = Number(row["seq"]);
    const json = String(row["json"]);
    try {
      if (!isIntact("events", row)) return this.#lost(key, seq, json);
      const value: unknown = JSON.parse(json);
      if (!hasTexts(value)) return readEvent(seq, value);
      return this.#withTexts(key, seq, json, use, read).catch(() => this.#lost(key, seq, json));
    } catch {
      // An event of a newer version, among others.
      return this.#lost(key, seq, json);
    }
  }

  #lost(key: number, seq: number, json: string): DurableEvent {
    const where = `${this.#database.path} contains ${damaged(`an event (number ${seq})`)}`;
    this.#notices.once(`events of ${key}`, `${where}: it is left out, and the rest of its team is kept.`);
    return lostEvent(seq, timeIn(json), `${where}, so it is left out.`);
  }

  /** An event with what it is read for of the texts that are stored apart. @throws Error for one that is damaged. */
  async #withTexts(
    key: number,
    seq: number,
    json: string,
    use: EventUse,
    read: (length: number) => void,
  ): Promise<DurableEvent> {
    if (use instanceof StateTexts) {
      const own = await this.#forState(key, seq, JSON.parse(json), use, read).catch(() => undefined);
      if (own !== undefined) return own;
    }
    const value: unknown = JSON.parse(json);
    const later = use === "history" ? await this.#withLaterTexts(key, seq, value) : undefined;
    if (later !== undefined) return later;
    if (use === "sent" && (await textsSize(this.#database, key, seq)) > MOST_SENT)
      return unsendable(readEvent(seq, value));
    const texts = await readTexts(this.#database, key, seq);
    if (use === "sent" && !isSendable(texts)) return unsendable(readEvent(seq, value));
    for (const { text } of texts) read(text.length);
    return readEvent(seq, withTexts(value, texts));
  }

  /** The event with those of its texts that the team's state is made of. @throws Error when that is no event. */
  async #forState(
    key: number,
    seq: number,
    value: unknown,
    state: StateTexts,
    read: (length: number) => void,
  ): Promise<DurableEvent> {
    const type = isRecord(value) ? String(value["type"]) : "";
    const texts: CutText[] = [];
    for (const { place, hash, pieces } of await usesOf(this.#database, key, seq)) {
      const known = state.text(seq, place) ?? (state.isUsed(type, seq, place) ? undefined : "");
      const text = known ?? (await readText(this.#database, hash, pieces));
      read(text.length);
      texts.push({ place, text });
    }
    return readEvent(seq, withTexts(value, texts));
  }

  /**
   * The event with texts that are read when they are used. Undefined where they have to be read at once: one is missing, its
   * schema does not accept an empty text, or it is an event of a nested team, which is copied before it is used.
   */
  async #withLaterTexts(key: number, seq: number, value: unknown): Promise<DurableEvent | undefined> {
    try {
      const event = readEvent(seq, value);
      if (event.path !== undefined) return undefined;
      const texts = await laterTexts(this.#database, key, seq, () => {
        const where = `${this.#database.path} contains ${damaged(`a text of an event (number ${seq})`)}`;
        this.#notices.once(`events of ${key}`, `${where}: it is left out, and the rest of its team is kept.`);
        return `${where}, so it is left out.`;
      });
      if (texts === undefined) return undefined;
      withLaterTexts(value, event, texts);
      return event;
    } catch {
      return undefined;
    }
  }
}

/** How many of the first rows are read at once, at least one, and their bytes. */
function fitting(sizes: readonly DatabaseRow[]): { readonly rows: number; readonly bytes: number } {
  let bytes = 0;
  for (const [at, { size }] of sizes.entries()) {
    if (at > 0 && bytes + Number(size) > PART_BYTES) return { rows: at, bytes };
    bytes += Number(size);
  }
  return { rows: sizes.length, bytes };
}

/** The time of an event that cannot be read otherwise; 1970 if that is damaged too. */
function timeIn(json: string): string {
  const [, at = ""] = /"at":"([^"]{1,40})"/.exec(json.slice(0, 200)) ?? [];
  return new Date(Number.isNaN(Date.parse(at)) ? 0 : at).toISOString();
}
