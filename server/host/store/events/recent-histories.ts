import { setImmediate } from "node:timers/promises";
import type { DurableEvent } from "../../../../shared/contract/event.ts";
import { HistoryTotals, type RecentHistory, type StoredHistoryTotals, TOTALS_VERSION } from "../../../engine/index.ts";
import type { Database } from "../database.ts";
import { columnsOf, insertSummed, isIntact } from "../row-sums.ts";
import type { WriteQueue } from "../write-queue.ts";
import type { EventLog } from "./event-log.ts";
import type { HistorySegments } from "./history-segments.ts";

/** After how many segments the totals are stored. */
const SAVE_EVERY = 16;

/** How long the event loop is held for long events, in milliseconds. */
const SLICE_MS = 10;

interface Counted {
  readonly totals: HistoryTotals;
  /** The number of the last event that is counted. */
  readonly until: number;
}

/**
 * The end of each team's history with the totals of what comes before, so that what shows only the end reads only that. The
 * totals are a cache: without them the whole history is read.
 */
export class RecentHistories {
  readonly #database: Database;
  readonly #queue: WriteQueue;
  readonly #events: EventLog;
  readonly #segments: HistorySegments;

  constructor(database: Database, queue: WriteQueue, events: EventLog, segments: HistorySegments) {
    this.#database = database;
    this.#queue = queue;
    this.#events = events;
    this.#segments = segments;
  }

  /** The last segment that is counted, and what came after it. Undefined before a segment is counted. */
  async recent(key: number): Promise<RecentHistory | undefined> {
    const counted = await this.#counted(key);
    const last = counted && (await this.#segments.segmentWith(key, counted.until));
    if (counted === undefined || last?.lastSeq !== counted.until) return undefined;
    const starts = new Map<number, readonly DurableEvent[]>();
    for (const start of new Set(counted.totals.starts()))
      starts.set(start, (await this.#segments.segmentWith(key, start))?.events ?? []);
    const later = await this.#events.all(key, counted.until);
    return { ...counted, after: last.after, events: last.events, later, from: (start) => starts.get(start) ?? [] };
  }

  /**
   * Counts the segments that are not counted yet, at most one in each turn of the event loop.
   * @throws GavelError `StorageError`.
   */
  async extend(key: number, isStopped: () => boolean): Promise<void> {
    let { totals, until } = (await this.#counted(key)) ?? { totals: new HistoryTotals(), until: 0 };
    for (let unsaved = 1; !isStopped(); unsaved++) {
      const next = await this.#segments.segmentWith(key, until + 1);
      if (next?.after !== until) {
        if (unsaved > 1) await this.#save(key, { totals, until });
        return;
      }
      let sliceStart = performance.now();
      for (const event of next.events) {
        totals.add(event);
        if (performance.now() - sliceStart < SLICE_MS) continue;
        await setImmediate();
        sliceStart = performance.now();
      }
      until = next.lastSeq;
      if (unsaved % SAVE_EVERY === 0) await this.#save(key, { totals, until });
      await setImmediate();
    }
  }

  async #counted(key: number): Promise<Counted | undefined> {
    const row = await this.#database.get(`SELECT ${columnsOf("totals").join(", ")} FROM totals WHERE team = ?`, key);
    if (row === undefined || !isIntact("totals", row) || row["version"] !== TOTALS_VERSION) return undefined;
    // Its checksum says that it is what this version of the host wrote.
    const stored = JSON.parse(String(row["json"])) as StoredHistoryTotals;
    return { totals: new HistoryTotals(stored), until: Number(row["lastSeq"]) };
  }

  async #save(key: number, { totals, until }: Counted): Promise<void> {
    const insert = [insertSummed("totals", "replaced"), key, until, TOTALS_VERSION, JSON.stringify(totals)] as const;
    await this.#queue.write<"run">({ kind: "run", statements: [insert] });
  }
}
