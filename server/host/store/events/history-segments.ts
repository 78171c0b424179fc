import { setImmediate } from "node:timers/promises";
import type { DurableEvent } from "../../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../../shared/contract/message.ts";
import { REDUCER_VERSION } from "../../../../shared/state/reducer.ts";
import { hasLongText } from "../../../engine/index.ts";
import type { Database, DatabaseRow } from "../database.ts";
import { columnsOf, insertSummed, isIntact } from "../row-sums.ts";
import type { WriteQueue } from "../write-queue.ts";
import type { EventLog, EventUse } from "./event-log.ts";

/** How many events a segment stands for. */
const SEGMENT = 1_000;

/** A longer event is not repeated in a segment, and none after so many of all, in characters of JSON. */
const MAX_REPEATED = 64 * 1024;
const MAX_SEGMENT = 1024 * 1024;

/** The events that a transcript is made of. */
const OF_TRANSCRIPT: ReadonlySet<DurableEvent["type"]> = new Set([
  "run/started",
  "run/ended",
  "message/added",
  "message/edited",
  "message/dropped",
  "tool/requested",
  "tool/executed",
  "model/asked",
  "reasoning/start",
  "reasoning/conclusion",
  "participants/changed",
  "team/reset",
  "state/loaded",
]);

/**
 * An event in a segment: the number of a long one, which is read from its own row; the message that a `message/added` of the
 * team itself added; `"turn"` for the end of a turn that began in the same segment; any other event as it is.
 */
type Entry = number | "turn" | { readonly added: ChatMessage } | DurableEvent;

const END_OF_TURN: DurableEvent = { seq: 0, at: "", type: "reasoning/conclusion", from: "", correlation_id: [] };

/** Events that are read together. */
export interface Segment {
  /** The numbers of the event before its first one, and of its last one. */
  readonly after: number;
  readonly lastSeq: number;
  readonly events: readonly DurableEvent[];
}

/**
 * A team's history in the form in which a transcript is read fast: of each thousand events one row, with only what a
 * transcript is made of. It is a cache: a segment that is damaged or of another version is read from the events.
 */
export class HistorySegments {
  readonly #database: Database;
  readonly #queue: WriteQueue | undefined;
  readonly #events: EventLog;
  readonly #size: number;

  /** Without a queue no segments are made. `size` is how many events a segment stands for. */
  constructor(database: Database, events: EventLog, queue: WriteQueue | undefined, size = SEGMENT) {
    this.#database = database;
    this.#queue = queue;
    this.#events = events;
    this.#size = size;
  }

  /** The events of a team, from the first, that its transcript and those of its nested teams are made of. */
  async *history(key: number): AsyncGenerator<Segment, void, undefined> {
    let last = 0;
    for (let next = await this.#next(key, 1, "history"); next !== undefined; ) {
      if (next.after === last) yield next;
      else yield* this.#fromEvents(key, last, next.lastSeq);
      last = next.lastSeq;
      await setImmediate();
      next = await this.#next(key, last + 1, "history");
    }
    yield* this.#rest(key, last);
  }

  /** The segment with the event with the number `seq`; undefined before there is one. */
  async segmentWith(key: number, seq: number): Promise<Segment | undefined> {
    return this.#next(key, seq, "whole");
  }

  async #next(key: number, seq: number, use: EventUse): Promise<Segment | undefined> {
    const columns = columnsOf("segments").join(", ");
    const first = `SELECT ${columns} FROM segments WHERE team = ? AND lastSeq >= ? ORDER BY lastSeq LIMIT 1`;
    const row = await this.#database.get(first, key, seq);
    if (row === undefined) return undefined;
    const after = Number(row["afterSeq"]);
    return { after, lastSeq: Number(row["lastSeq"]), events: await this.#eventsOf(key, row, use) };
  }

  async #eventsOf(key: number, row: DatabaseRow, use: EventUse): Promise<readonly DurableEvent[]> {
    if (isIntact("segments", row) && row["reducer"] === REDUCER_VERSION)
      return this.#expanded(key, String(row["json"]), use);
    return this.#events.all(key, Number(row["afterSeq"]), Number(row["lastSeq"]), use);
  }

  async *#fromEvents(key: number, after: number, until?: number): AsyncGenerator<Segment, void, undefined> {
    let last = after;
    for await (const events of this.#events.parts(key, after, until, "history")) {
      const lastSeq = events.at(-1)?.seq ?? last;
      yield { after: last, lastSeq, events };
      last = lastSeq;
    }
  }

  /** The events after the last segment. Those that are enough for a segment are stored as one. */
  async *#rest(key: number, after: number): AsyncGenerator<Segment, void, undefined> {
    let read: DurableEvent[] = [];
    let start = after;
    for await (const segment of this.#fromEvents(key, after)) {
      yield segment;
      for (const event of segment.events) {
        read.push(event);
        if (event.seq < start + this.#size) continue;
        // A segment that cannot be stored is made again.
        this.#save(key, start, event.seq, read).catch(() => {});
        read = [];
        start = event.seq;
      }
    }
  }

  /** Adds a segment if there are events for one. Returns whether it did. @throws GavelError `StorageError`. */
  async extend(key: number): Promise<boolean> {
    if (this.#queue === undefined) return false;
    const after = Number(
      (await this.#database.get("SELECT max(lastSeq) AS seq FROM segments WHERE team = ?", key))?.["seq"] ?? 0,
    );
    if ((await this.#events.lastSeq(key)) < after + this.#size) return false;
    await this.#save(key, after, after + this.#size, await this.#events.all(key, after, after + this.#size));
    return true;
  }

  async #save(key: number, after: number, lastSeq: number, events: readonly DurableEvent[]): Promise<void> {
    if (this.#queue === undefined) return;
    const json = JSON.stringify(compact(events));
    const insert = [insertSummed("segments", "replaced"), key, after, lastSeq, REDUCER_VERSION, json] as const;
    await this.#queue.write<"run">({ kind: "run", statements: [insert] });
  }

  async #expanded(key: number, json: string, use: EventUse): Promise<readonly DurableEvent[]> {
    const events: DurableEvent[] = [];
    // Its checksum says that it is what this version of the host wrote, from events that had passed their schema.
    for (const entry of JSON.parse(json) as readonly Entry[]) {
      if (entry === "turn") events.push(END_OF_TURN);
      else if (typeof entry === "number") events.push(...(await this.#events.all(key, entry - 1, entry, use)));
      else if ("added" in entry) events.push({ seq: 0, at: "", type: "message/added", message: entry.added });
      else events.push(entry);
    }
    return events;
  }
}

function compact(events: readonly DurableEvent[]): readonly Entry[] {
  const begun = new Set<string>();
  const ended = new Set<string>();
  for (const event of events) {
    if (event.type === "reasoning/start") begun.add(event.id);
    if (event.type === "reasoning/conclusion") for (const id of event.correlation_id) ended.add(id);
  }
  let left = MAX_SEGMENT;
  return events.flatMap((event): readonly Entry[] => {
    if (!OF_TRANSCRIPT.has(event.type)) return [];
    // A turn that has ended has no part in a transcript but its end.
    if (event.type === "reasoning/start" && ended.has(event.id)) return [];
    if (event.type === "reasoning/conclusion" && event.path === undefined && isPlainEnd(event, begun)) return ["turn"];
    const length = hasLongText(event) ? MAX_SEGMENT : JSON.stringify(event).length;
    if (length > Math.min(left, MAX_REPEATED)) return [event.seq];
    left -= length;
    if (event.type === "message/added" && event.path === undefined) return [{ added: event.message }];
    return [event];
  });
}

type Conclusion = Extract<DurableEvent, { type: "reasoning/conclusion" }>;

const isPlainEnd = ({ interrupted, correlation_id }: Conclusion, begun: ReadonlySet<string>): boolean =>
  interrupted === undefined && correlation_id.every((id) => begun.has(id));
