import type { Outcome, Write, Writer } from "../write.ts";
import type { WriteConnection } from "./write-connection.ts";

/** Writes in this thread: a store in memory, which never waits. */
export class DirectWriter implements Writer {
  readonly #connection: WriteConnection;

  constructor(connection: WriteConnection) {
    this.#connection = connection;
  }

  execute(batch: readonly Write[]): Promise<readonly Outcome[]> {
    return Promise.resolve(this.#connection.execute(batch));
  }

  finish(batch: readonly Write[]): void {
    this.#connection.execute(batch);
    this.#connection[Symbol.dispose]();
  }
}
