import { Worker } from "node:worker_threads";
import { messageOf, storageError } from "../../../../shared/contract/errors.ts";
import type { FoundPage, MessageSearch } from "./find-in-teams.ts";

/** What the thread of a search starts with. */
export interface SearchStart {
  readonly folder: string;
  readonly search: MessageSearch;
}

export type SearchResult = FoundPage | { readonly failure: string };

/** The bundle is beside the bundled host; in development the source itself runs. */
const SCRIPT = new URL(import.meta.url.endsWith(".ts") ? "./search-worker.ts" : "./search-worker.js", import.meta.url);

/**
 * Finds messages in a store in a folder, in a thread that ends with it, or with the signal.
 * @throws GavelError `StorageError`.
 */
export async function searchInThread(start: SearchStart, signal: AbortSignal): Promise<FoundPage> {
  if (signal.aborted) return { hits: [] };
  const { promise, resolve } = Promise.withResolvers<SearchResult>();
  const worker = new Worker(SCRIPT, { workerData: start });
  worker.on("message", resolve);
  worker.on("error", (error) => resolve({ failure: failed(messageOf(error)) }));
  worker.on("exit", () => resolve(signal.aborted ? { hits: [] } : { failure: failed("it stopped") }));
  const stop = (): void => void worker.terminate();
  signal.addEventListener("abort", stop);
  // A search alone does not keep the process alive.
  worker.unref();
  try {
    const result = await promise;
    if ("failure" in result) throw storageError(result.failure);
    return result;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

const failed = (why: string): string => `The thread that searches the store failed (${why}); try again.`;
