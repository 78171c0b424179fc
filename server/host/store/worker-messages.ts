import type { Outcome, Write } from "./write.ts";

/** What the store's thread is asked. The last message closes the store, after the writes that were still waiting. */
export type ToWorker =
  | { readonly kind: "execute"; readonly batch: readonly Write[] }
  | { readonly kind: "close"; readonly batch: readonly Write[]; readonly closed: Int32Array };

/** What a thread starts with. A replacement finds the store in use by this host. */
export interface WorkerStart {
  readonly folder: string;
  readonly isReplacement: boolean;
}

/** The answer to `execute`. */
export type FromWorker = readonly Outcome[];
