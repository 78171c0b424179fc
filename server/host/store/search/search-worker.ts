import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../../../shared/contract/errors.ts";
import { SqliteDatabase } from "../database.ts";
import { findInTeams } from "./find-in-teams.ts";
import type { SearchResult, SearchStart } from "./search-thread.ts";

// The thread of one search, so that however much there is to look through, the host's event loop does not wait for it.
const { folder, search } = workerData as SearchStart;
using database = SqliteDatabase.inFolder(folder);
const result: SearchResult = await findInTeams(database, search).catch((error: unknown) => ({
  failure: messageOf(error),
}));
parentPort?.postMessage(result);
