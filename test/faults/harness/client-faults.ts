import { once } from "node:events";
import type { RandomInt } from "../../../server/engine/testing/random.ts";
import { TeamEvents, TeamList } from "../../../shared/contract/requests.ts";
import type { HostClient } from "../../host-client.ts";
import type { AskedRequests } from "./asked-requests.ts";
import { eightIds } from "./open-teams.ts";
import { oneOf } from "./user-acts.ts";

/** Requests that a client that does not read sends at most: their answers are more than the host keeps for it. */
const MOST_UNREAD = 60;
/** So often a slow client stops, and for so many turns of its event loop. */
const MOST_STOPS = 200;
const MOST_TURNS = 20;

/** What a client may do besides its requests; resolves when it reads again, or has gone. */
export interface ClientFault {
  readonly name: string;
  readonly run: (client: HostClient, asked: AskedRequests, watcher: HostClient, random: RandomInt) => Promise<void>;
}

export const clientFaults: readonly ClientFault[] = [
  { name: "reads slowly", run: readSlowly },
  { name: "stops reading while it sends requests", run: sendUnread },
  { name: "stops reading while another window looks at the teams", run: stopReading },
];

/** Reads a piece at a time. */
async function readSlowly({ process }: HostClient, _: AskedRequests, __: HostClient, random: RandomInt): Promise<void> {
  const { stdout } = process;
  for (let stops = random(MOST_STOPS); stops > 0; stops--) {
    stdout?.pause();
    for (let turns = random(MOST_TURNS); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
    stdout?.resume();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function sendUnread(
  client: HostClient,
  asked: AskedRequests,
  watcher: HostClient,
  random: RandomInt,
): Promise<void> {
  client.process.stdout?.pause();
  for (let left = random(MOST_UNREAD); left > 0; left--) {
    const teamId = oneOf(eightIds, random);
    asked.add(`events of ${teamId}`, client.send(TeamEvents, { teamId }));
  }
  await watcher.send(TeamList, {});
  client.process.stdout?.resume();
}

async function stopReading(
  client: HostClient,
  _: AskedRequests,
  watcher: HostClient,
  random: RandomInt,
): Promise<void> {
  client.process.stdout?.pause();
  for (let left = random(MOST_UNREAD); left > 0; left--)
    await watcher.send(TeamEvents, { teamId: oneOf(eightIds, random) });
  client.process.stdout?.resume();
}

/** The client's process is gone: nothing reads or writes the host's pipes. Resolves with the host's exit code. */
export async function vanish({ process, connection }: HostClient): Promise<number | null> {
  const gone = once(process, "exit");
  process.stdin?.destroy();
  process.stdout?.destroy();
  await gone;
  connection.dispose();
  return process.exitCode;
}
