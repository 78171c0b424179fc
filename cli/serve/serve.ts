import { mkdirSync } from "node:fs";
import { TeamList } from "../../shared/contract/requests.ts";
import { threadName } from "../../shared/text/thread-name.ts";
import { HostRefusedError } from "../../socket/ask-host.ts";
import { readHostPlace } from "../../socket/place-file.ts";
import { stopHost } from "../../socket/stop-host.ts";
import { addUser, UsersFileError } from "../../socket/users-file.ts";
import type { ServeOptions } from "../arguments/parse.ts";
import { HostClient } from "../host/host-client.ts";
import { HostError } from "../host/host-errors.ts";
import { existingFolder, type FolderStore, findStore } from "../stores/find-store.ts";
import { shownLine } from "../text/shown-text.ts";
import { NO_ANSWERS } from "../threads/with-host.ts";
import { runningHost } from "./running-host.ts";
import { say } from "./say.ts";
import { startHost } from "./start-host.ts";
import { usersIn } from "./users-in.ts";

const FAILED = 1;

/** `gavel serve`: starts a host that goes on without a window or a terminal, ends it, or says whether there is one. */
export async function serveCommand(options: ServeOptions): Promise<number> {
  const folder = existingFolder(options.folder);
  const store = findStore(folder, { own: options.ownStore });
  switch (options.action) {
    case "start":
      return startHost(store, folder, options);
    case "addUser":
      return add(store, options);
    case "stop":
      return stop(store, folder);
    case "status":
      return status(store, folder);
  }
}

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

async function stop({ storagePath }: FolderStore, folder: string): Promise<number> {
  const isStopped = await stopHost(storagePath).catch((error: unknown) => {
    throw error instanceof HostRefusedError ? new HostError(error.message) : error;
  });
  say(isStopped ? `The agent host of ${folder} has ended; its threads are kept.` : noHost(folder));
  return 0;
}

async function status(store: FolderStore, folder: string): Promise<number> {
  const running = await runningHost(store.storagePath);
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
