import type { Outcome, Write } from "../write.ts";

/**
 * What the store's thread is asked. The last message closes the store, after the writes that were still waiting. `isRead`:
 * this host reads the store.
 */
export type ToWorker = { readonly batch: readonly Write[]; readonly isRead: boolean } & (
  | { readonly kind: "execute" }
  | { readonly kind: "close"; readonly closed: Int32Array }
);

/** What a thread starts with. */
export interface WorkerStart {
  readonly folder: string;
}

/** The answer to `execute`. */
export type FromWorker = readonly Outcome[];
