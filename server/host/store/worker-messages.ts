import type { Outcome, Write } from "./write.ts";

/** What the store's thread is asked. The last message closes the store, after the writes that were still waiting. */
export type ToWorker =
  | { readonly kind: "execute"; readonly batch: readonly Write[] }
  | { readonly kind: "close"; readonly batch: readonly Write[]; readonly closed: Int32Array };

/** The answer to `execute`. */
export type FromWorker = readonly Outcome[];
