import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Store } from "../../../server/host/store/store.ts";
import { sampleRun } from "../../../server/host/store/testing/sample-events.ts";
import { TeamEvents, TeamInspectState, TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import type { HostClient } from "../../host-client.ts";
import { roundTrip, startBenchHost } from "../bench-host.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { median, ms, times } from "../statistics.ts";
import { AN_OLD_TEAM, practiceTeam } from "./long-team.ts";
import type { Bench, HowOften, Row } from "./row.ts";

const FEW = 100;
const MANY = 100_000;
/** Events of one round of two speakers in the sample. */
const EVENTS_A_ROUND = 10;
const LAST_PAGE = 100;
const ROUNDS = 5;

/** The cost of reopening a team in a host that has just started; milliseconds. */
interface Reopened {
  /** Until the client has its snapshot and its last events. */
  readonly page: number;
  /** From there until a participant speaks: the run needs the earlier messages. */
  readonly turn: number;
  /** In another host, from there until its state is inspected. */
  readonly inspected: number;
}

/** The cost of reopening a team with many events, over that of one with few. */
export const reopen: Bench = {
  name: "reopen",
  title: AN_OLD_TEAM,
  async run(howOften) {
    const aim = "3 times";
    const figure = `reopening a team of ${MANY.toLocaleString("en")} events over one of ${FEW}`;
    if (!isHostBuilt()) return [{ figure, aim, measured: "not measured: run npm run build first" }];
    const few = await reopenings(FEW, howOften);
    const many = await reopenings(MANY, howOften);
    const row = (part: string, wanted: string, of: (one: Reopened) => number): Row => {
      const [late, early] = [median(many.map(of)), median(few.map(of))];
      return {
        figure: `${figure}: ${part}`,
        aim: wanted,
        measured: `${times(late / early)}, ${ms(late)} over ${ms(early)}`,
      };
    };
    return [
      row("its last page", aim, ({ page }) => page),
      row("then the first turn begins", aim, ({ turn }) => turn),
      row("then its state is inspected", aim, ({ inspected }) => inspected),
    ];
  },
};

async function reopenings(events: number, howOften: HowOften): Promise<Reopened[]> {
  const folder = await mkdtemp(join(tmpdir(), "gavel-bench-"));
  try {
    const lastSeq = await fill(folder, events);
    // The first host to open it writes a checkpoint, as the one that ran the team would have.
    await reopenOnce(folder, lastSeq, turnBegins);
    const all: Reopened[] = [];
    for (let round = 0; round < howOften(ROUNDS); round++) {
      const { after: inspected } = await reopenOnce(folder, lastSeq, stateIsInspected);
      const { page, after: turn } = await reopenOnce(folder, lastSeq, turnBegins);
      all.push({ page, turn, inspected });
    }
    return all;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a team's events into a store. @returns the last one's `seq`. */
async function fill(folder: string, events: number): Promise<number> {
  using store = new Store(folder);
  await store.teams.create("old", practiceTeam(1), undefined, new Date().toISOString());
  const record = await store.teams.get("old");
  if (record === undefined) throw new Error("The team is not in the store.");
  const journal = store.journal(record);
  let lastSeq = 0;
  for (const event of sampleRun(events / EVENTS_A_ROUND)) {
    // The run ended normally, so the next one starts counting turns at 1.
    journal.append(event.type === "run/ended" ? { ...event, resets: true } : event);
    lastSeq = event.seq;
  }
  await store.settled();
  // As the host that ran the team would have.
  await store.prepareHistory(record.key);
  return lastSeq;
}

/** `after` resolves with the time at which what it asked for was there. */
async function reopenOnce(
  folder: string,
  lastSeq: number,
  after: (client: HostClient) => Promise<number>,
): Promise<{ readonly page: number; readonly after: number }> {
  const { client, stop } = await startBenchHost(folder);
  try {
    await roundTrip(client);
    const started = performance.now();
    await client.send(TeamOpen, { teamId: "old" });
    await client.send(TeamEvents, { teamId: "old", after: lastSeq - LAST_PAGE });
    const shown = performance.now();
    return { page: shown - started, after: (await after(client)) - shown };
  } finally {
    await stop();
  }
}

async function turnBegins(client: HostClient): Promise<number> {
  let spoken = Number.NaN;
  client.onEvent((_, { type }) => {
    if (type === "message/started") spoken = performance.now();
  });
  const { status } = await client.send(TeamRun, { teamId: "old", task: "Continue." });
  if (Number.isNaN(spoken)) throw new Error(`No participant spoke: ${status.message ?? status.code}.`);
  return spoken;
}

async function stateIsInspected(client: HostClient): Promise<number> {
  await client.send(TeamInspectState, { teamId: "old" });
  return performance.now();
}
