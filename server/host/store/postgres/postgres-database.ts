import type { SQLInputValue } from "node:sqlite";
import type { Database, DatabaseRow } from "../database.ts";
import type { PostgresAddress } from "./address.ts";
import { Connection } from "./connection.ts";
import { serverFailure } from "./failures.ts";
import { assertTables } from "./prepare-tables.ts";

/** How long a read may take, in milliseconds. */
const TIMEOUT = 30_000;

/** The connection that reads a store on PostgreSQL. It is opened by the first read, and again after a failure. */
export class PostgresDatabase implements Database {
  readonly path: string;
  readonly now = undefined;
  readonly #address: PostgresAddress;
  readonly #isUnsaved: () => boolean;
  #open: Promise<Connection> | undefined;
  #waiting = 0;

  /** A server that cannot be reached reads as empty while `isUnsaved`. */
  constructor(address: PostgresAddress, isUnsaved: () => boolean) {
    this.path = `The store ${address.name}`;
    this.#address = address;
    this.#isUnsaved = isUnsaved;
  }

  async get(sql: string, ...values: readonly SQLInputValue[]): Promise<DatabaseRow | undefined> {
    return (await this.all(sql, ...values))[0];
  }

  async all(sql: string, ...values: readonly SQLInputValue[]): Promise<readonly DatabaseRow[]> {
    try {
      return await this.#read(sql, values);
    } catch (error) {
      if (this.#isUnsaved()) return [];
      throw serverFailure(error, this.#address.name);
    }
  }

  [Symbol.dispose](): void {
    void this.#open?.then((connection) => connection.close()).catch(() => {});
    this.#open = undefined;
  }

  async #read(sql: string, values: readonly SQLInputValue[]): Promise<readonly DatabaseRow[]> {
    const wasOpen = this.#open !== undefined;
    const connection = await this.#connection();
    try {
      return await this.#query(connection, sql, values);
    } catch (error) {
      // That the server has closed a connection which was at rest is seen when it is used.
      if (!wasOpen || !connection.isClosed) throw error;
      return this.#query(await this.#connection(), sql, values);
    }
  }

  /** The process stays alive only while it waits for an answer. */
  async #query(connection: Connection, sql: string, values: readonly SQLInputValue[]): Promise<readonly DatabaseRow[]> {
    this.#waiting++;
    connection.ref(true);
    try {
      return (await connection.query(sql, ...values)).rows;
    } finally {
      this.#waiting--;
      if (this.#waiting === 0) connection.ref(false);
    }
  }

  async #connect(ended: () => void): Promise<Connection> {
    const connection = await Connection.open(this.#address, TIMEOUT, ended);
    try {
      await assertTables(connection, this.#address);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  #connection(): Promise<Connection> {
    if (this.#open !== undefined) return this.#open;
    const forget = (): void => {
      if (this.#open === opening) this.#open = undefined;
    };
    const opening = this.#connect(forget);
    this.#open = opening;
    opening.catch(forget);
    return opening;
  }
}
