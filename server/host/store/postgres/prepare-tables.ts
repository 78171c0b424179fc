import { storageError } from "../../../../shared/contract/errors.ts";
import type { PostgresAddress } from "./address.ts";
import type { Connection } from "./connection.ts";
import { MIGRATIONS } from "./tables.ts";

/** The key of the lock that hosts which make or migrate tables at the same time take: "gavel" in ASCII. */
const LOCK = 0x676176656c;

/** How long that may take, also for a host that waits for another one, in milliseconds: no lease depends on it. */
const TIMEOUT = 60_000;

/**
 * Makes the store's tables, or migrates them, completely or not at all.
 * @throws GavelError `StorageError` for a store of a newer version, or a schema of another program; pg's error.
 */
export async function prepareTables(connection: Connection, { name, schema }: PostgresAddress): Promise<void> {
  if ((await versionIn(connection, name, schema)) === MIGRATIONS.length) return;
  await connection.execute("BEGIN");
  try {
    await connection.execute(`SELECT pg_advisory_xact_lock(${LOCK})`, TIMEOUT);
    // Another host may have done it while this one waited for the lock.
    const version = await versionIn(connection, name, schema);
    if (version < MIGRATIONS.length) {
      await connection.execute(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      for (const step of MIGRATIONS.slice(version)) await connection.execute(step, TIMEOUT);
      await connection.execute(
        `CREATE TABLE IF NOT EXISTS "gavelStore" (version bigint NOT NULL); DELETE FROM "gavelStore";
         INSERT INTO "gavelStore" VALUES (${MIGRATIONS.length})`,
      );
    }
    await connection.execute("COMMIT");
  } catch (error) {
    await connection.execute("ROLLBACK").catch(() => {});
    throw error;
  }
}

/**
 * For what only reads.
 * @throws GavelError `StorageError` for a store of another version, or where there is none; pg's error.
 */
export async function assertTables(connection: Connection, { name, schema }: PostgresAddress): Promise<void> {
  const version = await versionIn(connection, name, schema);
  if (version === 0) throw storageError(`The store ${name} has no tables yet, and they could not be made; try again.`);
  if (version < MIGRATIONS.length)
    throw storageError(`The store ${name} has to be converted for this version of Gavel; make it writable.`);
}

/** 0 for no store. */
async function versionIn(connection: Connection, name: string, schema: string): Promise<number> {
  const { rows } = await connection.execute(
    `SELECT to_regclass('${schema}."gavelStore"') IS NOT NULL AS own,
       EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = '${schema}') AS used`,
  );
  if (rows[0]?.["own"] !== 1) {
    if (rows[0]?.["used"] === 1)
      throw storageError(`The schema ${schema} of ${name} has tables of another program; use another space.`);
    return 0;
  }
  const found = await connection.execute(`SELECT version FROM ${schema}."gavelStore"`);
  const version = Number(found.rows[0]?.["version"] ?? 0);
  if (version > MIGRATIONS.length) {
    throw storageError(
      `The store ${name} was made by a newer version of Gavel (schema ${version}; this one supports up to ${MIGRATIONS.length}); update Gavel.`,
    );
  }
  return version;
}
