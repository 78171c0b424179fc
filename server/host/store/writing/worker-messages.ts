import type { Outcome, Write } from "../write.ts";

/**
 * What the store's thread is asked. The last message closes the store, after the writes that were still waiting. `isRead`:
 * this host reads the store.
 */
export type ToWorker = { readonly batch: readonly Write[]; readonly isRead: boolean } & (
  | { readonly kind: "execute" }
  | { readonly kind: "close"; readonly closed: Int32Array }
);

/** What a thread starts with that writes a store in a folder. */
export interface WorkerStart {
  readonly folder: string;
}

/**
 * `outcomes`: the answer to `execute`. `lease`: that of a store on a server was renewed, or cannot be relied on any more,
 * for that reason.
 */
export type FromWorker =
  | { readonly kind: "outcomes"; readonly outcomes: readonly Outcome[] }
  | { readonly kind: "lease"; readonly failure: string | undefined };
