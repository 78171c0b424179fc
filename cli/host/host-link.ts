import type { Readable, Writable } from "node:stream";

/** A way to a host: its streams, and how it ends. */
export interface HostLink {
  readonly input: Readable;
  readonly output: Writable;
  /** Resolves when no host is at the other end any more. */
  readonly ended: Promise<void>;
  /** What an own host wrote before it ended. */
  readonly lastWords: () => string;
  /** Whether the host is another client's, or no client's, and goes on without this one. */
  readonly isJoined: boolean;
  /** The id by which it knows the user of this command. */
  readonly user: string;
  /** Ends it at once; with `SIGTERM`, an own host may still store what happened. */
  end(how: "SIGTERM" | "SIGKILL"): void;
}
