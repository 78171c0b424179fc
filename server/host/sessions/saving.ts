import { GavelError, storageError } from "../../../shared/contract/errors.ts";
import { STORAGE_FAILED } from "../../../shared/contract/stop-reasons.ts";
import type { TaskResult } from "../../../shared/contract/team.ts";
import type { TeamJournal } from "../store/records/team-journal.ts";
import type { StorageHealth } from "../store/storage-health.ts";

/**
 * What a change needs of the store: `nothing`, as an interrupt has to work always; that it can be written, as for a run,
 * whose result says if that ends; or that the change is stored.
 */
export type Needs = "nothing" | "writable" | "stored";

/** Where a run's events are stored, and the last one before them. */
export interface RunStart {
  readonly journal: TeamJournal;
  readonly seq: number;
}

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
    if (journal.lostBecause !== undefined) throw journal.lostBecause;
    await this.assertWritable(journal);
  }

  /**
   * Changes what is stored of a team other than its events, when these are stored: what reads the team then reads them.
   * `otherwise` says what a failure leaves as it is. @throws GavelError `StorageError`.
   */
  async change(journal: TeamJournal, otherwise: string, work: () => Promise<void>): Promise<void> {
    try {
      await this.#tryAgain(journal);
      if (journal.hasUnstored && journal.state !== "lost")
        throw storageError(this.#health.status.message ?? "The store cannot be written.");
      await work();
    } catch (error) {
      if (!(error instanceof GavelError) || error.data.code !== "StorageError") throw error;
      throw storageError(`${otherwise}, as nothing can be saved at present: ${error.message}`, { cause: error });
    }
  }

  /** Tries to store what waits; true if the team is in the store after that. */
  async isInStore(journal: TeamJournal): Promise<boolean> {
    if (journal.isCreated) return true;
    await this.#tryAgain(journal);
    return journal.isCreated;
  }

  /**
   * The result of a run; an error if its end could not be stored, as it would be lost with the host.
   * @throws GavelError when nothing after the event `seq` is stored: `TeamBusy` as another host was faster, or
   * `StorageError`.
   */
  async resultOf(result: TaskResult, { journal, seq }: RunStart): Promise<TaskResult> {
    await journal.settled();
    if (journal.lostBecause !== undefined && journal.storedSeq <= seq) throw journal.lostBecause;
    const { message } = this.#health.status;
    if (journal.state !== "failing" || result.status.code === "error") return result;
    const status = { code: "error" as const, reason: STORAGE_FAILED, ...(message === undefined ? {} : { message }) };
    return { ...result, stopReason: null, status };
  }

  async #tryAgain(journal: TeamJournal): Promise<void> {
    await journal.settled();
    await this.#health.retry();
  }
}

const stateOf = ({ state }: TeamJournal): TeamJournal["state"] => state;
