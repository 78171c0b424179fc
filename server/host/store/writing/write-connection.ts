import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { GavelError, messageOf, storageError } from "../../../../shared/contract/errors.ts";
import type { StoreUse } from "../damage/store-use.ts";
import { useStore } from "../damage/use-store.ts";
import { isReadOnly, SQLITE_BUSY, SQLITE_CONSTRAINT, sqliteCode, storageFailure } from "../storage-failure.ts";
import type { Outcome, Statement, Write, WriteResults } from "../write.ts";
import { Conflict, type Step, type Steps } from "../write-steps.ts";
import { HostLock } from "./host-lock.ts";
import { LockClaims, NoClaims } from "./lock-claims.ts";
import { OpenFiles } from "./open-files.ts";
import { makeFiles, makeFolder, openToWrite } from "./open-to-write.ts";
import { stepsOf } from "./perform-write.ts";

/** After so many commits the write-ahead log is copied into the database when nothing has been written for a while. */
const TIDY_AFTER = 50;

/** What a transaction came to: all of it is stored, or nothing. */
type Transaction = { readonly outcomes: readonly Outcome[] } | { readonly error: unknown };

/**
 * The connection that writes the store's file, `gavel.db` in the storage folder, or a database in memory without a folder.
 * It is opened by the first write. Everything in it is synchronous.
 */
export class WriteConnection implements Disposable {
  readonly path: string;
  /** Whether this host reads the store already, so that it must not be repaired. */
  isRead = false;
  readonly #folder: string | undefined;
  readonly #claims: LockClaims | NoClaims;
  readonly #statements = new Map<string, StatementSync>();
  #open: DatabaseSync | undefined;
  #use: StoreUse | undefined;
  /** What the user has to know of the store, since it was last asked for. */
  readonly #sentences: string[] = [];
  readonly #files: OpenFiles | undefined;
  #commits = 0;

  constructor(folder: string | undefined) {
    this.#folder = folder;
    this.path = folder === undefined ? ":memory:" : join(folder, "gavel.db");
    this.#claims = folder === undefined ? new NoClaims() : new LockClaims(new HostLock(folder));
    this.#files = folder === undefined ? undefined : new OpenFiles(this.path);
  }

  /** The open database. @throws GavelError `StorageError`. */
  get database(): DatabaseSync {
    try {
      this.#open ??= this.#connect();
      return this.#open;
    } catch (error) {
      throw storageFailure(error, this.path);
    }
  }

  /**
   * Carries out writes in one transaction, each with its own outcome: a write that violates a constraint undoes only itself.
   * If the transaction fails, each write is tried alone, as one that is too large for the disk must not fail others.
   */
  execute(batch: readonly Write[]): readonly Outcome[] {
    const together = this.#together(batch);
    if ("outcomes" in together) return together.outcomes;
    // Trying again while another program has the lock would only multiply the wait.
    if (batch.length === 1 || sqliteCode(causeOf(together.error)) === SQLITE_BUSY) {
      const failure = this.#failure(together.error);
      return batch.map(() => failure);
    }
    return batch.map((write) => {
      const alone = this.#together([write]);
      return "outcomes" in alone ? (alone.outcomes[0] ?? this.#failure(alone)) : this.#failure(alone.error);
    });
  }

  /** @returns how many rows the statement has changed. */
  run(...[sql, ...values]: Statement): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Copies the write-ahead log into the database, if it has grown. */
  tidy(): void {
    if (this.#folder === undefined || this.#open === undefined || this.#commits < TIDY_AFTER) return;
    this.#commits = 0;
    this.#copyLog();
  }

  [Symbol.dispose](): void {
    this.#claims[Symbol.dispose]();
    this.#statements.clear();
    this.#open?.close();
    this.#open = undefined;
    this.#use?.[Symbol.dispose]();
    this.#use = undefined;
  }

  /** Nearly no batch has a conflict, and with savepoints SQLite copies each page before it is changed. */
  #together(batch: readonly Write[]): Transaction {
    const plain = this.#transaction(batch, (write) => ({ value: this.#perform(write) }));
    if ("outcomes" in plain || batch.length === 1 || !isConflict(plain.error)) return plain;
    return this.#transaction(batch, (write) => this.#outcomeOf(write));
  }

  #transaction(batch: readonly Write[], outcomeOf: (write: Write) => Outcome): Transaction {
    try {
      this.#assertInPlace();
      this.run("BEGIN IMMEDIATE");
    } catch (error) {
      this.#closeIfReadOnly(error);
      return { error };
    }
    try {
      const outcomes = batch.map(outcomeOf);
      this.run("COMMIT");
      this.#commits++;
      if (batch.some(({ kind }) => kind === "open")) this.#sentences.length = 0;
      this.#files?.written();
      return { outcomes };
    } catch (error) {
      this.#rollBack();
      this.#closeIfReadOnly(error);
      return { error };
    }
  }

  /** Of a conflict, only this write is undone. @throws when the whole transaction has failed. */
  #outcomeOf(write: Write): Outcome {
    this.run("SAVEPOINT one");
    try {
      const value = this.#perform(write);
      this.run("RELEASE one");
      return { value };
    } catch (error) {
      if (!isConflict(error)) throw error;
      this.run("ROLLBACK TO one");
      this.run("RELEASE one");
      return this.#failure(error);
    }
  }

  #perform(write: Write): WriteResults[Write["kind"]] {
    if (write.kind !== "open") return this.#carryOut(stepsOf(write, this.#claims));
    // SQLite opens a file that cannot be written to read it, and begins a transaction there without an error.
    this.run("DELETE FROM runs WHERE FALSE");
    return [...this.#sentences];
  }

  #carryOut<T>(steps: Steps<T>): T {
    let next = steps.next();
    while (next.done !== true) next = steps.next(this.#answer(next.value));
    return next.value;
  }

  #answer(step: Step): unknown {
    if ("run" in step) return step.run.map((statement) => this.run(...statement));
    const [sql, ...values] = step.get;
    return this.#statement(sql).get(...values);
  }

  #failure(error: unknown): { readonly failure: { readonly message: string; readonly conflict: boolean } } {
    return { failure: { message: messageOf(storageFailure(error, this.path)), conflict: isConflict(error) } };
  }

  /** A connection that was opened while a file could only be read never writes, even when the file can be written again. */
  #closeIfReadOnly(error: unknown): void {
    if (this.#folder === undefined || !isReadOnly(error)) return;
    this.#statements.clear();
    this.#open?.close();
    this.#open = undefined;
  }

  /** SQLite rolls back by itself when the disk is full; a second rollback then fails, which does not matter. */
  #rollBack(): void {
    try {
      this.#open?.exec("ROLLBACK");
    } catch {}
  }

  /** @throws GavelError `StorageError` when a file of the store was deleted or replaced. */
  #assertInPlace(): void {
    const missing = this.#files?.missing();
    if (missing === undefined) return;
    // What is in the log is then in the database too, whatever becomes of this host.
    if (missing !== this.path) this.#copyLog();
    const otherwise = missing === this.path ? " to start with the store that is there" : "";
    throw storageError(
      `${missing} was deleted or replaced while Gavel was using it; put it back, or restart the agent host${otherwise}.`,
    );
  }

  #copyLog(): void {
    try {
      this.#open?.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // The log stays, and is copied later.
    }
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #connect(): DatabaseSync {
    if (this.#folder !== undefined) {
      makeFolder(this.#folder);
      this.#use ??= useStore(this.#folder, this.isRead, (sentence) => this.#sentences.push(sentence));
      makeFiles(this.path);
    }
    const database = openToWrite(this.path);
    this.#files?.opened();
    return database;
  }
}

const isConflict = (error: unknown): boolean => sqliteCode(error) === SQLITE_CONSTRAINT || error instanceof Conflict;

/** SQLite's error, of which a `StorageError` may have been made already. */
const causeOf = (error: unknown): unknown => (error instanceof GavelError ? error.cause : error);
