import { accessSync, constants } from "node:fs";
import { SQLITE_BUSY, sqliteCode } from "../storage-failure.ts";
import { repairStore } from "./repair-store.ts";
import { StoreUse } from "./store-use.ts";

/**
 * Begins to use the store of a folder, before any connection to it is opened: if no other host uses it, it is checked, and
 * repaired where it is damaged, unless this host reads it already (`isRead`). `notify` is called with what the user
 * has to know. The store is in use until the result is disposed; on a disk that cannot be written it is not checked, and
 * there is no result.
 * @throws Error when a damaged store cannot be repaired.
 */
export function useStore(folder: string, isRead: boolean, notify: (sentence: string) => void): StoreUse | undefined {
  const use = openUse(folder);
  if (use === undefined) return undefined;
  try {
    const repaired = isRead ? undefined : use.alone(() => repairStore(folder));
    if (repaired !== undefined) notify(repaired);
    use.share();
    return use;
  } catch (error) {
    use[Symbol.dispose]();
    throw error;
  }
}

function openUse(folder: string): StoreUse | undefined {
  try {
    accessSync(folder, constants.W_OK);
    return new StoreUse(folder);
  } catch (error) {
    // Another host checks or repairs the store at this moment.
    if (sqliteCode(error) === SQLITE_BUSY) throw error;
    return undefined;
  }
}
