import { type JoinedHost, joinHost } from "../../socket/join-host.ts";
import { stopHost } from "../../socket/stop-host.ts";

/**
 * Joins the host that runs for a storage folder. One that keeps running from another version of this extension is ended
 * first if no team runs in it: what it loads later may be gone with the old version's folder.
 * @returns undefined if none runs now.
 * @throws HostRefusedError for a host that cannot be joined.
 */
export async function joinCurrent(storagePath: string, version: string): Promise<JoinedHost | undefined> {
  const joined = await joinHost(storagePath);
  if (joined === undefined || !joined.keepsRunning || joined.isBusy || joined.gavelVersion === version) return joined;
  joined.stream.destroy();
  await stopHost(storagePath);
  return undefined;
}
