import { randomBytes, randomUUID } from "node:crypto";
import type { SQLInputValue } from "node:sqlite";
import { GavelError, messageOf, storageError } from "../../../../shared/contract/errors.ts";
import type { Backend, BackendListeners } from "../backend.ts";
import type { Database, DatabaseRow } from "../database.ts";
import type { HostIdentity } from "../host-identity.ts";
import { findInTeams } from "../search/find-in-teams.ts";
import type { Outcome, Write, Writer } from "../write.ts";
import { WorkerWriter } from "../writing/worker-writer.ts";
import { type PostgresAddress, type PostgresStart, postgresAddress } from "./address.ts";

/** The bundle is beside the bundled host; in development the source itself runs. */
const SCRIPT = new URL(
  import.meta.url.endsWith(".ts") ? "./postgres-worker.ts" : "./postgres-worker.js",
  import.meta.url,
);

/** A store on PostgreSQL. Where the address cannot be used, everything fails with the reason. */
export function postgresBackend(url: string, listeners: BackendListeners): Backend {
  try {
    const address = postgresAddress(url);
    const host: HostIdentity = { id: randomUUID(), key: randomBytes(32).toString("hex") };
    const start: PostgresStart = { host, address };
    const database = new LaterDatabase(address, listeners.isUnsaved);
    return {
      database,
      writer: new WorkerWriter({ script: SCRIPT, data: start }, listeners),
      isShared: true,
      lease: address.lease,
      host,
      search: (search, signal) => findInTeams(database, search, signal),
    };
  } catch (error) {
    if (!(error instanceof GavelError)) throw error;
    return unusable(error);
  }
}

/** The client of PostgreSQL is loaded with the first read. It is a bundle of its own, whose errors are of other classes. */
class LaterDatabase implements Database {
  readonly path: string;
  readonly now = undefined;
  readonly #load: () => Promise<Database>;
  #database: Promise<Database> | undefined;

  constructor(address: PostgresAddress, isUnsaved: () => boolean) {
    this.path = `The store ${address.name}`;
    this.#load = async () => {
      const { PostgresDatabase } = await import("./postgres-database.ts");
      return new PostgresDatabase(address, isUnsaved);
    };
  }

  async get(sql: string, ...values: readonly SQLInputValue[]): Promise<DatabaseRow | undefined> {
    return this.#read((database) => database.get(sql, ...values));
  }

  async all(sql: string, ...values: readonly SQLInputValue[]): Promise<readonly DatabaseRow[]> {
    return this.#read((database) => database.all(sql, ...values));
  }

  [Symbol.dispose](): void {
    void this.#database?.then((database) => database[Symbol.dispose]());
  }

  /** @throws GavelError `StorageError`. */
  async #read<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = await this.#loaded();
    try {
      return await work(database);
    } catch (error) {
      throw storageError(messageOf(error), { cause: error });
    }
  }

  #loaded(): Promise<Database> {
    this.#database ??= this.#load();
    return this.#database;
  }
}

function unusable(error: GavelError): Backend {
  const fail = (): Promise<never> => Promise.reject(error);
  const failure: Outcome = { failure: { message: messageOf(error), conflict: false } };
  const database: Database = { path: "The store", now: undefined, get: fail, all: fail, [Symbol.dispose]: () => {} };
  const writer: Writer = { execute: async (batch: readonly Write[]) => batch.map(() => failure), finish: () => {} };
  return { database, writer, isShared: true, search: fail };
}
