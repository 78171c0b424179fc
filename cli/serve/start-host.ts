import { mkdirSync } from "node:fs";
import { messageOf } from "../../shared/contract/errors.ts";
import { TeamList } from "../../shared/contract/requests.ts";
import { isLoopback } from "../../shared/loopback.ts";
import type { HostToServe, Started } from "../../socket/host-to-serve.ts";
import { serveHost } from "../../socket/serve-host.ts";
import { makeUsersFile } from "../../socket/users-file.ts";
import type { ServeOptions } from "../arguments/parse.ts";
import { HostClient } from "../host/host-client.ts";
import { HostEndedError, HostError } from "../host/host-errors.ts";
import type { JoinedLink } from "../host/joined-host.ts";
import { hostEnvironment, linkAddress, storeAddress } from "../host/keys.ts";
import { hostProgram } from "../host/own-host.ts";
import type { FolderStore } from "../stores/find-store.ts";
import { NO_ANSWERS } from "../threads/with-host.ts";
import { ForegroundHost } from "./foreground-host.ts";
import { runningHost } from "./running-host.ts";
import { say, warn } from "./say.ts";
import { usersIn } from "./users-in.ts";

/** How long a host stays without clients and runs, in minutes, if the user does not say. */
const IDLE_MINUTES = 10;

type StartOptions = Extract<ServeOptions, { action: "start" }>;

/** Starts the host of a store, unless one runs. */
export async function startHost(store: FolderStore, folder: string, options: StartOptions): Promise<number> {
  const running = await runningHost(store.storagePath);
  if (running !== undefined) return saysWhich(running, folder, options);
  const host = hostToServe(store, options);
  return options.foreground ? stay(store, folder, options, host) : leave(store, folder, options, host);
}

function hostToServe({ storagePath, globalStoragePath }: FolderStore, given: StartOptions): HostToServe {
  const { foreground, network, metrics, log, drainSeconds } = given;
  const idleMinutes = given.idleMinutes ?? (foreground ? undefined : IDLE_MINUTES);
  const options = { storagePath, globalStoragePath, idleMinutes, metrics, log, drainSeconds };
  return {
    serverModule: hostProgram(),
    options: network === undefined ? options : { ...options, network: { ...network, users: usersIn(storagePath) } },
    store: storeAddress(process.env),
    link: linkAddress(process.env),
    env: hostEnvironment(process.env),
  };
}

/** Starts a host, which goes on when this command ends. */
async function leave(store: FolderStore, folder: string, options: StartOptions, host: HostToServe): Promise<number> {
  const started = await serveHost(host).catch((error: unknown) => {
    throw new HostError(messageOf(error));
  });
  const other = started.listening ? undefined : await runningHost(store.storagePath);
  if (other !== undefined) return saysWhich(other, folder, options);
  const until = `until it has had no client and no run for ${minutesText(options.idleMinutes ?? IDLE_MINUTES)}`;
  say(`An agent host serves the threads of ${folder} ${until}; "gavel serve --stop" ends it.`);
  for (const sentence of whereText(options, started)) say(sentence);
  return 0;
}

/**
 * Stays until the host has ended, which ends with this command. It is joined once, so that it opens its store at once and
 * users of other computers can join it.
 */
async function stay(store: FolderStore, folder: string, options: StartOptions, toServe: HostToServe): Promise<number> {
  const { network } = toServe.options;
  if (network !== undefined) {
    mkdirSync(store.storagePath, { recursive: true, mode: 0o700 });
    makeUsersFile(network.users);
  }
  const { host, started } = await ForegroundHost.start(toServe);
  if (!started.listening) {
    const other = await runningHost(store.storagePath);
    if (other !== undefined) return saysWhich(other, folder, options);
    throw new HostError(`Another agent host of ${folder} has just ended; serve again.`);
  }
  try {
    await using client = await HostClient.join({ store, folder, share: false, answers: NO_ANSWERS, remote: undefined });
    await client?.request(TeamList, {});
  } catch (error) {
    // One that ends says so itself.
    if (!host.isTold && !(error instanceof HostEndedError)) {
      await host.end();
      throw error;
    }
  }
  if (!host.isTold) {
    warn(`The agent host serves the threads of ${folder} until this command ends.`);
    for (const sentence of whereText(options, started)) warn(sentence);
  }
  return host.exitCode();
}

/** Where the host listens. */
function whereText({ foreground, network, metrics }: StartOptions, { port, metricsPort }: Started): readonly string[] {
  const where: string[] = [];
  const once = foreground ? "" : ", once you have joined it";
  if (network !== undefined) where.push(`Users with a token join it on ${network.host}, port ${port}${once}.`);
  if (metrics === undefined) return where;
  where.push(`It tells how it does on http://${metrics.host}:${metricsPort}/metrics, /healthz and /readyz.`);
  if (!isLoopback(metrics.host))
    where.push("Its metrics need no credentials: whoever reaches that address can read them.");
  return where;
}

const minutesText = (minutes: number): string => (minutes === 1 ? "a minute" : `${minutes} minutes`);

/** Says that there is a host already: one that goes on is what was wanted, unless this command was to have it. */
function saysWhich({ keepsRunning }: JoinedLink, folder: string, { foreground }: StartOptions): number {
  if (keepsRunning) {
    const sentence = `An agent host serves the threads of ${folder} already; "gavel serve --stop" ends it.`;
    if (foreground) throw new HostError(sentence);
    say(sentence);
    return 0;
  }
  throw new HostError(
    `A window or a terminal has the agent host for ${folder}, which ends with it; close that, and serve again.`,
  );
}
