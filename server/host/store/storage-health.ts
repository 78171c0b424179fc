import type { GavelError } from "../../../shared/contract/errors.ts";
import type { StorageStatus } from "../../../shared/contract/storage.ts";
import type { TeamJournal } from "./records/team-journal.ts";

/** How long the first retry waits, and the longest wait between two, in milliseconds. */
const FIRST_RETRY = 1_000;
const LAST_RETRY = 30_000;

export interface HealthOptions {
  /** Attempts a write that changes nothing. @throws GavelError `StorageError`. */
  readonly probe: () => Promise<void>;
  /** Called when the status changes: once for each cause, however many teams and events it concerns. */
  readonly changed: (status: StorageStatus) => void;
}

/**
 * Notices that the storage fails and that it works again, for all teams together. It tries again by itself, first after a
 * second, then less and less often.
 */
export class StorageHealth implements Disposable {
  readonly #options: HealthOptions;
  readonly #failing = new Set<TeamJournal>();
  #status: StorageStatus = { state: "saving" };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wait = FIRST_RETRY;
  #tryAgain: (() => void)[] = [];
  #isDisposed = false;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  get status(): StorageStatus {
    return this.#status;
  }

  /** A journal has changed its state, or stored something. */
  journalChanged(journal: TeamJournal, error: GavelError | undefined): void {
    if (journal.state === "saving" || journal.state === "lost") {
      if (this.#failing.delete(journal) && this.#failing.size === 0) this.#recovered();
      if (error?.data.code === "StorageError") this.failed(error);
      return;
    }
    this.#failing.add(journal);
    if (error !== undefined) this.failed(error);
    if (this.#status.state === "unsaved") journal.continueUnsaved();
  }

  /** A new journal has something to store since the storage failed; by now it may work again. */
  journalWaits(journal: TeamJournal): void {
    this.#failing.add(journal);
    if (this.#status.state === "saving") journal.retry();
  }

  /** A write has failed because of the storage. `tryAgain` is called when that works again. */
  failed({ message }: GavelError, tryAgain?: () => void): void {
    if (this.#isDisposed) return;
    if (tryAgain !== undefined) this.#tryAgain.push(tryAgain);
    const { state } = this.#status;
    if (state === "saving") this.#change({ state: "failing", message });
    else if (message !== this.#status.message) this.#change({ state, message });
    this.#timer ??= setTimeout(() => this.#retryLater(), this.#wait);
    this.#timer.unref();
  }

  /** Tries again to store what waits; resolves with the status after that. */
  async retry(): Promise<StorageStatus> {
    if (this.#status.state === "saving") return this.#status;
    const journals = [...this.#failing];
    for (const journal of journals) journal.retry();
    try {
      await this.#options.probe();
      if (this.#failing.size === 0) this.#recovered();
    } catch {
      // The status says it already.
    }
    return this.#status;
  }

  /** The user's decision to continue although nothing can be stored at present. */
  continueUnsaved(): void {
    if (this.#status.state !== "failing") return;
    this.#change({ ...this.#status, state: "unsaved" });
    for (const journal of this.#failing) journal.continueUnsaved();
  }

  /** A team is closed, and its journal with it. */
  forget(journal: TeamJournal): void {
    if (this.#failing.delete(journal) && this.#failing.size === 0) void this.retry();
  }

  /** What waits is tried a last time. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const journal of this.#failing) journal.retry();
    clearTimeout(this.#timer);
  }

  #retryLater(): void {
    this.#timer = undefined;
    this.#wait = Math.min(2 * this.#wait, LAST_RETRY);
    void this.retry().then(({ state }) => {
      if (state !== "saving") this.#timer ??= setTimeout(() => this.#retryLater(), this.#wait).unref();
    });
  }

  #recovered(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wait = FIRST_RETRY;
    if (this.#status.state !== "saving") this.#change({ state: "saving" });
    const waiting = this.#tryAgain;
    this.#tryAgain = [];
    for (const tryAgain of waiting) tryAgain();
  }

  #change(status: StorageStatus): void {
    this.#status = status;
    this.#options.changed(status);
  }
}
