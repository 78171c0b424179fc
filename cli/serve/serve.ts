import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../shared/contract/errors.ts";
import { TeamList } from "../../shared/contract/requests.ts";
import { isLoopback } from "../../shared/loopback.ts";
import { threadName } from "../../shared/text/thread-name.ts";
import { HostRefusedError } from "../../socket/ask-host.ts";
import { readHostPlace } from "../../socket/place-file.ts";
import { serveHost } from "../../socket/serve-host.ts";
import { stopHost } from "../../socket/stop-host.ts";
import { addUser, UsersFileError } from "../../socket/users-file.ts";
import type { ServeOptions } from "../arguments/parse.ts";
import { HostClient } from "../host/host-client.ts";
import { HostError } from "../host/host-errors.ts";
import { type JoinedLink, joinRunningHost } from "../host/joined-host.ts";
import { hostEnvironment, linkAddress, storeAddress } from "../host/keys.ts";
import { hostProgram } from "../host/own-host.ts";
import { existingFolder, type FolderStore, findStore } from "../stores/find-store.ts";
import { shownLine } from "../text/shown-text.ts";
import { NO_ANSWERS } from "../threads/with-host.ts";

/** How long a host stays without clients and runs, in minutes, if the user does not say. */
const IDLE_MINUTES = 10;

const FAILED = 1;

/** `gavel serve`: starts a host that goes on without a window or a terminal, ends it, or says whether there is one. */
export async function serveCommand(options: ServeOptions): Promise<number> {
  const folder = existingFolder(options.folder);
  const store = findStore(folder, { own: options.ownStore });
  switch (options.action) {
    case "start":
      return start(store, folder, options);
    case "addUser":
      return add(store, options);
    case "stop":
      return stop(store, folder);
    case "status":
      return status(store, folder);
  }
}

async function start(
  { storagePath, globalStoragePath }: FolderStore,
  folder: string,
  { idleMinutes = IDLE_MINUTES, network, metrics, log, drainSeconds }: Extract<ServeOptions, { action: "start" }>,
): Promise<number> {
  const running = await found(storagePath);
  if (running !== undefined) return saysWhich(running, folder);
  const options = { storagePath, globalStoragePath, idleMinutes, metrics, log, drainSeconds };
  const { listening, port, metricsPort } = await serveHost({
    serverModule: hostProgram(),
    options: network === undefined ? options : { ...options, network: { ...network, users: usersIn(storagePath) } },
    store: storeAddress(process.env),
    link: linkAddress(process.env),
    env: hostEnvironment(process.env),
  }).catch((error: unknown) => {
    throw new HostError(messageOf(error));
  });
  const other = listening ? undefined : await found(storagePath);
  if (other !== undefined) return saysWhich(other, folder);
  const until = `until it has had no client and no run for ${minutesText(idleMinutes)}`;
  say(`An agent host serves the threads of ${folder} ${until}; "gavel serve --stop" ends it.`);
  if (network !== undefined)
    say(`Users with a token join it on ${network.host}, port ${port}, once you have joined it.`);
  if (metrics !== undefined) {
    say(`It tells how it does on http://${metrics.host}:${metricsPort}/metrics, /healthz and /readyz.`);
    if (!isLoopback(metrics.host)) say("Its metrics need no credentials: whoever reaches that address can read them.");
  }
  return 0;
}

/** The users of other computers who may join the host of a storage folder. */
const usersIn = (storagePath: string): string => join(storagePath, "users.json");

/** `gavel serve --add-user`: prints the token that a user of another computer shows. */
function add({ storagePath }: FolderStore, { id, userName }: Extract<ServeOptions, { action: "addUser" }>): number {
  mkdirSync(storagePath, { recursive: true, mode: 0o700 });
  try {
    process.stdout.write(`${addUser(usersIn(storagePath), { id, name: userName })}\n`);
  } catch (error) {
    throw error instanceof UsersFileError ? new HostError(error.message) : error;
  }
  process.stderr.write("The token is shown once: give it to the user alone, for GAVEL_HOST_TOKEN.\n");
  return 0;
}

const minutesText = (minutes: number): string => (minutes === 1 ? "a minute" : `${minutes} minutes`);

/** Says that there is a host already: one that goes on is what was wanted. */
function saysWhich({ keepsRunning }: Pick<JoinedLink, "keepsRunning">, folder: string): number {
  if (keepsRunning) {
    say(`An agent host serves the threads of ${folder} already; "gavel serve --stop" ends it.`);
    return 0;
  }
  throw new HostError(
    `A window or a terminal has the agent host for ${folder}, which ends with it; close that, and serve again.`,
  );
}

async function stop({ storagePath }: FolderStore, folder: string): Promise<number> {
  const isStopped = await stopHost(storagePath).catch((error: unknown) => {
    throw error instanceof HostRefusedError ? new HostError(error.message) : error;
  });
  say(isStopped ? `The agent host of ${folder} has ended; its threads are kept.` : noHost(folder));
  return 0;
}

async function status(store: FolderStore, folder: string): Promise<number> {
  const running = await found(store.storagePath);
  await using host = await HostClient.join({ store, folder, share: false, answers: NO_ANSWERS, remote: undefined });
  if (running === undefined || host === undefined) {
    say(noHost(folder));
    return FAILED;
  }
  const { teams } = await host.request(TeamList, {});
  const busy = teams.filter((team) => team.status === "running" || team.status === "interrupting");
  const pid = readHostPlace(store.storagePath)?.pid;
  const whose = running.keepsRunning
    ? "It goes on without windows and terminals"
    : "It ends with the window or the terminal that started it";
  const runs = busy.length === 0 ? "no thread is running" : "these threads are running:";
  say(`An agent host of Gavel ${running.gavelVersion} serves ${folder}, process ${pid}. ${whose}; ${runs}`);
  for (const team of busy) process.stdout.write(`${team.teamId}  ${shownLine(threadName(team))}\n`);
  return 0;
}

const noHost = (folder: string): string => `No agent host runs for ${folder}; "gavel serve" starts one.`;

/** The host that runs for the storage folder, which is left at once. */
async function found(storagePath: string): Promise<JoinedLink | undefined> {
  const link = await joinRunningHost(storagePath);
  link?.end("SIGTERM");
  await link?.ended;
  return link;
}

const say = (sentence: string): void => void process.stdout.write(`${shownLine(sentence)}\n`);
