import { messageOf } from "../../../../shared/contract/errors.ts";
import type { HostIdentity } from "../host-identity.ts";
import type { Outcome, Statement, Write, WriteResults } from "../write.ts";
import { Conflict, type Step, type Steps } from "../write-steps.ts";
import { stepsOf } from "../writing/perform-write.ts";
import type { PostgresAddress } from "./address.ts";
import { Connection } from "./connection.ts";
import { isOfStatement, isRefusal, isRepeatable, serverFailure } from "./failures.ts";
import { LeaseClaims } from "./lease-claims.ts";
import { prepareTables } from "./prepare-tables.ts";

/** How often it is looked, while a lease lasts, at whether it has to be renewed; and after which part of it that is so. */
const LOOKS = 12;
const RENEW_AFTER = 1 / 6;
/** After which part of it this host no longer relies on it, and how long of it a statement may take. */
const RELY = 1 / 2;
const TIMEOUT = 1 / 3;

/** How often a transaction is tried again that has waited for another one in a circle. */
const REPEATS = 3;

/** What a transaction came to: all of it is stored, or nothing. */
type Transaction = { readonly outcomes: readonly Outcome[] } | { readonly error: unknown };

/**
 * Writes a store on PostgreSQL, in one transaction at a time. When the lease was not renewed for half of it, the host is
 * told, so that what it runs is at rest before another host can take it.
 */
export class PostgresConnection {
  readonly #address: PostgresAddress;
  readonly #claims: LeaseClaims;
  readonly #renewed: (failure: string | undefined) => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #open: Connection | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** When the last renewal that succeeded was begun. */
  #renewedAt = performance.now();
  #isRenewing = false;
  #why: string | undefined;

  /** `renewed` is called with `undefined` when the lease is renewed, and with the reason while it cannot be relied on. */
  constructor(host: HostIdentity, address: PostgresAddress, renewed: (failure: string | undefined) => void) {
    this.#address = address;
    this.#claims = new LeaseClaims(host, address.lease);
    this.#renewed = renewed;
    this.#timer = setInterval(() => this.#look(), address.lease / LOOKS);
    this.#timer.unref();
  }

  /** See `WriteConnection.execute`. */
  execute(batch: readonly Write[]): Promise<readonly Outcome[]> {
    return this.#inOrder(() => this.#execute(batch));
  }

  /** Releases the teams of this host, and closes the connection. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#inOrder(async () => {
      if (this.#claims.isNeeded) await this.#transaction([() => this.#carryOut(this.#claims.end())]);
      await this.#open?.close();
    });
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #execute(batch: readonly Write[]): Promise<readonly Outcome[]> {
    const together = await this.#repeated(batch);
    if ("outcomes" in together) return together.outcomes;
    if (batch.length === 1 || !isOfOneWrite(together.error)) return batch.map(() => this.#failure(together.error));
    const outcomes: Outcome[] = [];
    for (const write of batch) {
      const alone = await this.#repeated([write]);
      outcomes.push("error" in alone ? this.#failure(alone.error) : (alone.outcomes[0] ?? this.#failure(alone)));
    }
    return outcomes;
  }

  async #repeated(batch: readonly Write[]): Promise<Transaction> {
    for (let nth = 1; ; nth++) {
      const done = await this.#transaction(batch.map((write) => () => this.#perform(write)));
      if ("outcomes" in done || nth === REPEATS || !isRepeatable(done.error)) return done;
    }
  }

  async #transaction(works: readonly (() => Promise<unknown>)[]): Promise<Transaction> {
    let isSent = false;
    try {
      const connection = await this.#connection();
      // Its failure is that of the statements after it.
      connection.execute("BEGIN").catch(() => {});
      const outcomes: Outcome[] = [];
      // Sound because a write of one kind has a result of that kind.
      for (const work of works) outcomes.push({ value: (await work()) as WriteResults[Write["kind"]] });
      isSent = true;
      const { command } = await connection.execute("COMMIT");
      if (command !== "COMMIT") throw new Error("the transaction was not committed");
      this.#claims.committed();
      return { outcomes };
    } catch (error) {
      this.#claims.rolledBack(isSent);
      await this.#rollBack();
      return { error };
    }
  }

  /** A connection that cannot roll back is closed, which does the same. */
  async #rollBack(): Promise<void> {
    const connection = this.#open;
    if (connection === undefined) return;
    if (!connection.isClosed) await connection.execute("ROLLBACK").catch(() => connection.close());
    if (connection.isClosed) this.#open = undefined;
  }

  async #connection(): Promise<Connection> {
    if (this.#open === undefined || this.#open.isClosed) {
      const { lease } = this.#address;
      const connection = await Connection.open(this.#address, lease * TIMEOUT);
      try {
        await prepareTables(connection, this.#address);
      } catch (error) {
        await connection.close();
        throw error;
      }
      this.#open = connection;
    }
    return this.#open;
  }

  async #perform(write: Write): Promise<unknown> {
    if (write.kind !== "open") return this.#carryOut(stepsOf(write, this.#claims));
    // Hosts that were killed; this also shows whether the store can be written.
    await this.#run(["DELETE FROM hosts WHERE until < clock_timestamp() - interval '1 day'"]);
    const { warning } = this.#address;
    return warning === undefined ? [] : [warning];
  }

  async #carryOut<T>(steps: Steps<T>): Promise<T> {
    let next = steps.next();
    while (next.done !== true) next = steps.next(await this.#answer(next.value));
    return next.value;
  }

  async #answer(step: Step): Promise<unknown> {
    if ("run" in step) return this.#run(...step.run);
    const [sql, ...values] = step.get;
    return (await (await this.#connection()).query(sql, ...values)).rows[0];
  }

  /** The statements are sent together. */
  async #run(...statements: readonly Statement[]): Promise<readonly number[]> {
    const connection = await this.#connection();
    const results = await Promise.all(statements.map(([sql, ...values]) => connection.query(sql, ...values)));
    return results.map(({ changes }) => changes);
  }

  #look(): void {
    const { lease, name } = this.#address;
    if (!this.#claims.isNeeded) {
      this.#renewedAt = performance.now();
      return;
    }
    const since = performance.now() - this.#renewedAt;
    if (since >= lease * RELY) this.#renewed(this.#why ?? `The store ${name} does not answer; check that it runs.`);
    if (since >= lease * RENEW_AFTER && !this.#isRenewing) void this.#renew();
  }

  async #renew(): Promise<void> {
    this.#isRenewing = true;
    const begun = performance.now();
    const renewed = await this.#inOrder(() => this.#transaction([() => this.#carryOut(this.#claims.renew())]));
    this.#isRenewing = false;
    this.#why = "error" in renewed ? messageOf(serverFailure(renewed.error, this.#address.name)) : undefined;
    if ("error" in renewed) return;
    this.#renewedAt = begun;
    this.#renewed(undefined);
  }

  #failure(error: unknown): Outcome {
    const message = messageOf(serverFailure(error, this.#address.name));
    return { failure: { message, conflict: error instanceof Conflict || isRefusal(error) } };
  }
}

/** Whether another write may succeed. */
const isOfOneWrite = (error: unknown): boolean => error instanceof Conflict || isOfStatement(error);
