import assert from "node:assert/strict";
import { join } from "node:path";
import type { RandomInt } from "../../../server/engine/testing/random.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { StorageResolve, TeamList, TeamRun } from "../../../shared/contract/requests.ts";
import { HostClient, refusal } from "../../host-client.ts";
import { AskedRequests } from "./asked-requests.ts";
import { diskFaults, type StoreFolder } from "./disk-faults.ts";
import { EventCount } from "./event-count.ts";
import { assertToldAll, eightIds, finishTeams, goOnFrom, openTeams } from "./open-teams.ts";
import type { SmallDisk } from "./small-disk.ts";
import { act, goOn, oneOf } from "./user-acts.ts";

/** One of many events is followed by a request of the user. */
const REQUESTS_AMONG_EVENTS = 40;
/** Faults that one host meets, events before each, and what the user does while it lasts, at most. */
const MOST_FAULTS = 3;
const MOST_EVENTS = 300;
const MOST_ACTS = 8;

/** What a user may answer when the storage fails; nothing at all is an answer, too. */
const ANSWERS = [undefined, "Try Again", "Continue Without Saving"];

/** What the host may refuse requests with. */
const REFUSALS = ["StorageError", "TeamBusy", "UnknownTeam", "InvalidResume", "InvalidParams"];

/** A storage folder on a disk that fails at random, whose hosts have eight teams. */
export class FailingStorage {
  readonly #disk: SmallDisk;
  readonly #folder: StoreFolder;
  readonly #random: RandomInt;
  readonly #note: (what: string) => void;
  /** What clients of earlier hosts were told, by team. */
  readonly #told = new Map<string, readonly TeamEvent[]>();

  /** `note` is called with everything that happens to the disk. */
  constructor(disk: SmallDisk, random: RandomInt, note: (what: string) => void) {
    this.#disk = disk;
    this.#folder = { path: join(disk.path, "store"), seen: join(disk.seen, "store"), disk };
    this.#random = random;
    this.#note = note;
  }

  /** Runs all teams while the disk fails and works again, until they have ended their work, and compares what is stored. */
  async runWithFaults(): Promise<void> {
    await using host = await this.#start();
    const opened = await openTeams(host, this.#told);
    const asked = new AskedRequests(REFUSALS);
    using events = new EventCount(host, () => {
      if (this.#random(REQUESTS_AMONG_EVENTS) === 0) asked.add("an act", act(host, this.#random));
    });
    for (const snapshot of opened) asked.add(`run ${snapshot.teamId}`, goOn(host, snapshot));
    for (let left = 1 + this.#random(MOST_FAULTS); left > 0; left--) {
      await Promise.race([events.next(this.#random(MOST_EVENTS)), asked.idle()]);
      await this.#fail(host, asked);
      for (const teamId of eightIds) asked.add(`go on with ${teamId}`, goOnFrom(host, teamId));
    }
    events[Symbol.dispose]();
    await asked.answered();
    await finishTeams(host);
    await assertToldAll(host, opened);
    assert.equal(await host.shutdown(), 0);
    for (const teamId of eightIds)
      this.#told.set(teamId, [...(this.#told.get(teamId) ?? []), ...host.eventsOf(teamId)]);
  }

  /** A host on the same disk, which is read-only until its user tries to go on. */
  async runReadOnly(): Promise<void> {
    this.#note("the disk is read-only");
    this.#disk.remount("ro");
    await using host = await this.#start();
    assert.equal((await host.send(TeamList, {})).teams.filter(({ teamId }) => eightIds.includes(teamId)).length, 8);
    const opened = await openTeams(host, this.#told);
    const teamId = oneOf(eightIds, this.#random);
    assert.equal((await refusal(host.send(TeamRun, { teamId, task: "go" }))).data.code, "StorageError");
    this.#disk.remount("rw");
    await finishTeams(host);
    await assertToldAll(host, opened);
    assert.equal(await host.shutdown(), 0);
    for (const teamId of eightIds)
      this.#told.set(teamId, [...(this.#told.get(teamId) ?? []), ...host.eventsOf(teamId)]);
  }
  #start(): Promise<HostClient> {
    return HostClient.start({
      storagePath: this.#folder.path,
      startedBy: this.#disk.command,
      onToolCall: () => ({ output: "recorded" }),
      onQuestion: () => oneOf(ANSWERS, this.#random),
    });
  }

  /** Lets the disk fail while the user acts, and work again, in some cases only after all runs have ended. */
  async #fail(host: HostClient, asked: AskedRequests): Promise<void> {
    const { name, begin, isSlow } = oneOf(diskFaults, this.#random);
    this.#note(name);
    const end = await begin(this.#folder, host);
    try {
      for (let left = this.#random(MOST_ACTS); left > 0; left--) {
        asked.add("an act while the disk fails", this.#actWhileFailing(host));
        await host.send(TeamList, {});
      }
      if (isSlow !== true && this.#random(2) === 0) await asked.answered();
    } finally {
      await end();
    }
    await host.send(StorageResolve, { action: "retry" });
  }

  #actWhileFailing(host: HostClient): Promise<unknown> {
    const kind = this.#random(4);
    if (kind === 0) return host.send(StorageResolve, { action: "retry" });
    if (kind === 1) return host.send(StorageResolve, { action: "continueWithoutSaving" });
    if (kind === 2) return goOnFrom(host, oneOf(eightIds, this.#random));
    return act(host, this.#random);
  }
}
