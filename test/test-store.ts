import { createHash, randomUUID } from "node:crypto";

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
