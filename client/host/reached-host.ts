import type { JoinedHost } from "../../socket/join-host.ts";

/** The host that this window is connected to, as far as it concerns the user. */
export interface ReachedHost {
  /** Whether this window has started it, and it ends with this window. */
  readonly isOwn: boolean;
  /** Whether it goes on when all windows have closed. */
  readonly keepsRunning: boolean;
  /** The version of Gavel that it is of. */
  readonly gavelVersion: string;
}

/** @param own the version of this extension, which its own host is of too. */
export function reachedHost(joined: JoinedHost | undefined, own: string): ReachedHost {
  if (joined === undefined) return { isOwn: true, keepsRunning: false, gavelVersion: own };
  const { keepsRunning, gavelVersion } = joined;
  return { isOwn: false, keepsRunning, gavelVersion };
}
