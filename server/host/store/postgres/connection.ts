import type { SQLInputValue } from "node:sqlite";
import pg from "pg";
import type { DatabaseRow } from "../database.ts";
import { CHECKED } from "../row-sums.ts";
import type { PostgresAddress } from "./address.ts";
import { storable, stored, toPostgres } from "./to-postgres.ts";

/** PostgreSQL's types (pg_type) that are numbers here. */
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);
const BOOLEAN = 16;
const BYTES = 17;

const parsers: pg.CustomTypesConfig = {
  getTypeParser: (type: number) => {
    if (NUMBERS.has(type)) return Number;
    if (type === BOOLEAN) return (value: string) => (value === "t" ? 1 : 0);
    if (type === BYTES) return (value: string) => Buffer.from(value.slice(2), "hex");
    return stored;
  },
};

/** The rows of a statement, and how many it has changed. */
export interface StatementResult {
  readonly rows: readonly DatabaseRow[];
  readonly changes: number;
  /** What the server has done, such as "INSERT" or "ROLLBACK". */
  readonly command: string;
}

/**
 * One connection to PostgreSQL, for statements in the store's SQL. They are sent without waiting for the answers to those
 * before. After an error of the network, or a statement that takes longer than `timeout`, the connection is closed.
 */
export class Connection {
  readonly #client: pg.Client;
  readonly #statements = new Map<string, { readonly name: string; readonly text: string }>();
  #isClosed = false;

  private constructor(client: pg.Client, ended: () => void) {
    this.#client = client;
    const closed = (): void => {
      this.#isClosed = true;
      ended();
    };
    // What waits for an answer is told of the error itself.
    client.on("error", closed).on("end", closed);
  }

  /**
   * `timeout`: for the connection and for each statement, in milliseconds. `ended` is called when it is closed, for whatever
   * reason. @throws pg's error.
   */
  static async open({ url, schema }: PostgresAddress, timeout: number, ended = (): void => {}): Promise<Connection> {
    const client = new pg.Client({
      connectionString: url,
      application_name: "gavel",
      connectionTimeoutMillis: timeout,
      query_timeout: timeout,
      keepAlive: true,
      pipeline: true,
      // A name that address.ts has checked.
      options: `-c search_path=${schema}`,
      types: parsers,
    });
    const connection = new Connection(client, ended);
    await client.connect();
    return connection;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** @throws pg's error. */
  async query(sql: string, ...values: readonly SQLInputValue[]): Promise<StatementResult> {
    const statement = this.#statements.get(sql) ?? { name: `s${this.#statements.size}`, text: toPostgres(sql) };
    this.#statements.set(sql, statement);
    const result = await this.#client.query<DatabaseRow>({
      ...statement,
      values: values.map(parameter),
      types: parsers,
    });
    const rows = result.rows.map((row) => ({ ...row, [CHECKED]: true as const }));
    return { rows, changes: result.rowCount ?? 0, command: result.command };
  }

  /** Statements that are no store's SQL, without parameters; `timeout` instead of the usual one. @throws pg's error. */
  async execute(sql: string, timeout?: number): Promise<StatementResult> {
    const { rows, rowCount, command } = await this.#client.query<DatabaseRow>({
      text: sql,
      types: parsers,
      ...(timeout === undefined ? {} : { query_timeout: timeout }),
    });
    return { rows: rows ?? [], changes: rowCount ?? 0, command: command ?? "" };
  }

  /** The process stays alive only while it waits for an answer. */
  ref(isWaiting: boolean): void {
    // Its types leave these out.
    const client = this.#client as pg.Client & { ref(): void; unref(): void };
    if (isWaiting) client.ref();
    else client.unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client.end().catch(() => {});
  }
}

function parameter(value: SQLInputValue): unknown {
  if (typeof value === "string") return storable(value);
  return ArrayBuffer.isView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}
