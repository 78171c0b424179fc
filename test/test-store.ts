import { createHash, randomUUID } from "node:crypto";
import { postgresAddress } from "../server/host/store/postgres/address.ts";

/** The variable with the address of a database in which hosts under test have their stores, instead of their folders. */
export const DATABASE = "GAVEL_TEST_STORE";

/** The address of the store for a storage folder; of one of its own without a folder; undefined to use the folder. */
export function testStore(storagePath: string | undefined): string | undefined {
  const database = process.env[DATABASE];
  if (database === undefined || database === "") return undefined;
  const hash = createHash("sha256").update(storagePath ?? randomUUID());
  const url = new URL(database);
  url.searchParams.set("space", `t${hash.digest("hex").slice(0, 16)}`);
  return url.href;
}

/**
 * Ends the leases of the hosts that share a store: what runs in one that was killed can be taken over at once, as in a
 * folder. A host that lives renews its own.
 */
export async function endLeases(store: string): Promise<void> {
  const { query } = await import("./servers/postgres.ts");
  const { url, schema } = postgresAddress(store);
  // A host that has stored nothing has made no tables.
  const [found] = await query(url, `SELECT to_regclass('${schema}.hosts') IS NOT NULL AS there`);
  if (found?.["there"] !== true) return;
  await query(url, `UPDATE ${schema}.hosts SET until = clock_timestamp() - interval '1 second'`);
}
