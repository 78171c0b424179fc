import { readFileSync } from "node:fs";
import { messageOf } from "../../shared/contract/errors.ts";
import { HostRefusedError } from "../../socket/ask-host.ts";
import { type JoinedHost, joinHost } from "../../socket/join-host.ts";
import { joinRemoteHost } from "../../socket/join-remote-host.ts";
import type { RemoteAddress } from "../arguments/remote-option.ts";
import { HostError } from "./host-errors.ts";
import type { HostLink } from "./host-link.ts";
import { OWN_USER } from "./own-user.ts";

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
  return linkOf(joined);
}

/** Joins a host of another computer. @throws HostError when it cannot be joined, or no token is given. */
export async function joinRemote({ host, port, certificate }: RemoteAddress): Promise<JoinedLink> {
  const { [TOKEN]: token = "" } = process.env;
  if (token === "") throw new HostError(`Give the token that the host's user has given you in ${TOKEN}.`);
  const trusted = certificate === undefined ? {} : { certificate: certificateIn(certificate) };
  const joined = await joinRemoteHost({ host, port, token, ...trusted }).catch((error: unknown) => {
    throw error instanceof HostRefusedError ? new HostError(error.message) : error;
  });
  return linkOf(joined);
}

/** The variable with the token of a user of another computer: arguments can be seen by others. */
const TOKEN = "GAVEL_HOST_TOKEN";

function certificateIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new HostError(`The certificate ${path} cannot be read: ${messageOf(error)}.`);
  }
}

function linkOf({ stream, gavelVersion, keepsRunning, user }: JoinedHost): JoinedLink {
  const ended = Promise.withResolvers<void>();
  if (stream.closed) ended.resolve();
  stream.once("close", () => ended.resolve());
  return {
    input: stream,
    output: stream,
    ended: ended.promise,
    lastWords: () => "",
    isJoined: true,
    user: user?.id ?? OWN_USER,
    gavelVersion,
    keepsRunning,
    end: () => stream.destroy(),
  };
}
