import type { Database } from "./database.ts";
import type { HostIdentity } from "./host-identity.ts";
import type { FoundPage, MessageSearch } from "./search/find-in-teams.ts";
import type { Writer } from "./write.ts";
import type { WriterListeners } from "./writing/worker-writer.ts";

/** What a store is kept in. */
export interface Backend {
  readonly database: Database;
  readonly writer: Writer;
  /** Whether other hosts may use it too. */
  readonly isShared: boolean;
  /** For how long a host that does not renew it has its teams, in milliseconds; undefined where its end is known at once. */
  readonly lease?: number;
  /** Where hosts have leases. */
  readonly host?: HostIdentity;
  readonly search: (search: MessageSearch, signal: AbortSignal) => Promise<FoundPage>;
}

export interface BackendListeners extends WriterListeners {
  /** Whether the user continues without saving: what cannot be read is then empty. */
  readonly isUnsaved: () => boolean;
}
