import { HostRefusedError } from "../../socket/ask-host.ts";
import { joinHost } from "../../socket/join-host.ts";
import { HostError } from "./host-errors.ts";
import type { HostLink } from "./host-link.ts";

/** A running host that was joined, and what it says of itself. */
export interface JoinedLink extends HostLink {
  readonly gavelVersion: string;
  /** Whether it goes on when all its clients leave. */
  readonly keepsRunning: boolean;
}

/**
 * Joins the host that runs for a storage folder.
 * @returns undefined if none does.
 * @throws HostError when it refuses, or does not answer.
 */
export async function joinRunningHost(storagePath: string): Promise<JoinedLink | undefined> {
  const joined = await joinHost(storagePath).catch((error: unknown) => {
    throw error instanceof HostRefusedError ? new HostError(error.message) : error;
  });
  if (joined === undefined) return undefined;
  const { stream, gavelVersion, keepsRunning } = joined;
  const ended = Promise.withResolvers<void>();
  if (stream.closed) ended.resolve();
  stream.once("close", () => ended.resolve());
  return {
    input: stream,
    output: stream,
    ended: ended.promise,
    lastWords: () => "",
    isJoined: true,
    gavelVersion,
    keepsRunning,
    end: () => stream.destroy(),
  };
}
