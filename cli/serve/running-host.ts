import { type JoinedLink, joinRunningHost } from "../host/joined-host.ts";

/** The host that runs for the storage folder, which is left at once. */
export async function runningHost(storagePath: string): Promise<JoinedLink | undefined> {
  const link = await joinRunningHost(storagePath);
  link?.end("SIGTERM");
  await link?.ended;
  return link;
}
