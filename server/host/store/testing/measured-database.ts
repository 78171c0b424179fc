import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { type DatabaseRow, SqliteDatabase } from "../database.ts";

/** How many bytes of texts are read from a database, and how many of them in one turn of the event loop at most. */
export class MeasuredDatabase {
  readonly database: SqliteDatabase;
  total = 0;
  most = 0;
  #inTurn = 0;

  constructor(folder: string) {
    const database = SqliteDatabase.inFolder(folder);
    const all = database.all.bind(database);
    const get = database.get.bind(database);
    database.all = async (...query) => this.#counted(await all(...query));
    database.get = async (...query) => {
      const row = await get(...query);
      return row === undefined ? undefined : this.#counted([row])[0];
    };
    this.database = database;
  }

  /** Reads, and counts. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    [this.total, this.most] = [0, 0];
    const turns = new AbortController();
    const counting = this.#countTurns(turns.signal);
    try {
      return await work();
    } finally {
      turns.abort();
      await counting;
    }
  }

  async #countTurns(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#inTurn = 0;
      await turnOfEventLoop();
      this.most = Math.max(this.most, this.#inTurn);
    }
  }

  #counted<R extends DatabaseRow>(rows: readonly R[]): readonly R[] {
    const texts = rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === "string");
    const read = texts.reduce((sum, { length }) => sum + length, 0);
    this.#inTurn += read;
    this.total += read;
    return rows;
  }
}
