import { storageError, teamBusyElsewhere } from "../../../shared/contract/errors.ts";
import { STORAGE_FAILED } from "../../../shared/contract/stop-reasons.ts";
import type { TaskResult } from "../../../shared/contract/team.ts";
import type { StorageHealth } from "../store/storage-health.ts";
import type { TeamJournal } from "../store/team-journal.ts";

/**
 * What a change needs of the store: `nothing`, as an interrupt has to work always; that it can be written, as for a run,
 * whose result says if that ends; or that the change is stored.
 */
export type Needs = "nothing" | "writable" | "stored";

/** Makes sure that what happens to a team is stored, or that its requests say that it is not. */
export class Saving {
  readonly #health: StorageHealth;

  constructor(health: StorageHealth) {
    this.#health = health;
  }

  /** Tries again to store what waits. @throws GavelError `StorageError` while that fails. */
  async assertWritable(journal: TeamJournal): Promise<void> {
    if (journal.state !== "failing") return;
    const { message } = await this.#health.retry();
    // It may have been stored meanwhile.
    if (stateOf(journal) === "failing") throw storageError(message ?? "The store cannot be written.");
  }

  /** @throws GavelError `StorageError` when a change could not be stored, `TeamBusy` when another host was faster. */
  async assertStored(journal: TeamJournal): Promise<void> {
    await journal.settled();
    if (journal.state === "lost") throw teamBusyElsewhere(journal.teamId);
    await this.assertWritable(journal);
  }

  /** The result of a run; an error if its end could not be stored, as it would be lost with the host. */
  async resultOf(result: TaskResult, journal: TeamJournal): Promise<TaskResult> {
    await journal.settled();
    const { message } = this.#health.status;
    if (journal.state !== "failing" || result.status.code === "error") return result;
    const status = { code: "error" as const, reason: STORAGE_FAILED, ...(message === undefined ? {} : { message }) };
    return { ...result, stopReason: null, status };
  }
}

const stateOf = ({ state }: TeamJournal): TeamJournal["state"] => state;
