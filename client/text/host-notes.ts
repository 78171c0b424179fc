import type { ReachedHost } from "../host/reached-host.ts";

/** What the status bar says of a host that is not simply this window's own. */
export interface HostNotes {
  /** A codicon. */
  readonly icon: string;
  readonly sentences: readonly string[];
  readonly keepsRunning: boolean;
}

/** @param version that of this extension. @returns undefined where there is nothing to say. */
export function hostNotes(host: ReachedHost | undefined, version: string): HostNotes | undefined {
  if (host === undefined || host.isOwn) return undefined;
  const { keepsRunning, gavelVersion } = host;
  const kind = keepsRunning
    ? "The agent host keeps running after this window closes."
    : "This window has joined the agent host of another window or terminal, and it ends with that one.";
  const other = `The agent host is of Gavel ${gavelVersion}, and this window of ${version}: restart the host to update it.`;
  return {
    icon: keepsRunning ? "server-process" : "link",
    sentences: gavelVersion === version ? [kind] : [kind, other],
    keepsRunning,
  };
}
