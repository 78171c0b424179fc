import type { Backend, BackendListeners } from "./backend.ts";
import { SqliteDatabase } from "./database.ts";
import { isPostgres } from "./postgres/is-postgres.ts";
import { postgresBackend } from "./postgres/postgres-backend.ts";
import { findInTeams } from "./search/find-in-teams.ts";
import { searchInThread } from "./search/search-thread.ts";
import { DirectWriter } from "./writing/direct-writer.ts";
import { WorkerWriter } from "./writing/worker-writer.ts";
import { WriteConnection } from "./writing/write-connection.ts";

/** `place`: a folder, or the address of a server; memory without one. */
export function backendOf(place: string | undefined, listeners: BackendListeners): Backend {
  if (place === undefined) return memoryBackend();
  return isPostgres(place) ? postgresBackend(place, listeners) : folderBackend(place, listeners);
}

function memoryBackend(): Backend {
  const connection = new WriteConnection(undefined);
  const database = new SqliteDatabase(connection.path, () => ({ database: connection.database, kind: "store" }));
  const search: Backend["search"] = (search, signal) => findInTeams(database, search, signal);
  return { database, writer: new DirectWriter(connection), isShared: false, search };
}

/** The bundle is beside the bundled host; in development the source itself runs. */
const SCRIPT = new URL(
  import.meta.url.endsWith(".ts") ? "./writing/store-worker.ts" : "./store-worker.js",
  import.meta.url,
);

function folderBackend(folder: string, listeners: BackendListeners): Backend {
  return {
    database: SqliteDatabase.inFolder(folder, listeners.isUnsaved),
    writer: new WorkerWriter({ script: SCRIPT, data: { folder } }, listeners),
    isShared: true,
    search: (search, signal) => searchInThread({ folder, search }, signal),
  };
}
