import { type Database, SqliteDatabase } from "./database.ts";
import { isPostgres } from "./postgres/is-postgres.ts";
import { postgresBackend } from "./postgres/postgres-backend.ts";
import { type FoundPage, findInTeams, type MessageSearch } from "./search/find-in-teams.ts";
import { searchInThread } from "./search/search-thread.ts";
import type { Writer } from "./write.ts";
import { DirectWriter } from "./writing/direct-writer.ts";
import { WorkerWriter, type WriterListeners } from "./writing/worker-writer.ts";
import { WriteConnection } from "./writing/write-connection.ts";

/** What a store is kept in. */
export interface Backend {
  readonly database: Database;
  readonly writer: Writer;
  /** Whether other hosts may use it too. */
  readonly isShared: boolean;
  /** For how long a host that does not renew it has its teams, in milliseconds; undefined where its end is known at once. */
  readonly lease?: number;
  readonly search: (search: MessageSearch, signal: AbortSignal) => Promise<FoundPage>;
}

export interface BackendListeners extends WriterListeners {
  /** Whether the user continues without saving: what cannot be read is then empty. */
  readonly isUnsaved: () => boolean;
}

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
