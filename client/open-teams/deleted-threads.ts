import type { Memento } from "vscode";
import * as z from "zod";

const KEY = "gavel.deletedThreads";
const TeamIds = z.array(z.string());

/**
 * Threads that the user has deleted and may still restore. They are hidden, and really deleted once the user has let the
 * offer go or the window closes; after a crash of the window, when it opens again.
 */
export class DeletedThreads {
  readonly #memento: Memento;
  readonly #deleteStored: (teamId: string) => Promise<void>;
  #hidden: ReadonlySet<string>;
  /** Those that an earlier window has left. */
  readonly #left: string[];

  /** @param deleteStored deletes a thread for good. */
  constructor(memento: Memento, deleteStored: (teamId: string) => Promise<void>) {
    this.#memento = memento;
    this.#deleteStored = deleteStored;
    const stored = TeamIds.safeParse(memento.get<unknown>(KEY));
    this.#left = stored.success ? stored.data : [];
    this.#hidden = new Set(this.#left);
  }

  has(teamId: string): boolean {
    return this.#hidden.has(teamId);
  }

  /** Hides a thread, which is not deleted yet. */
  async hide(teamId: string): Promise<void> {
    await this.#set(new Set([...this.#hidden, teamId]));
  }

  /** Shows a hidden thread again. @returns whether it still exists. */
  async restore(teamId: string): Promise<boolean> {
    if (!this.#hidden.has(teamId)) return false;
    await this.#set(new Set([...this.#hidden].filter((hidden) => hidden !== teamId)));
    return true;
  }

  /** Deletes a hidden thread for good. One that cannot be deleted now stays hidden, and is deleted later. */
  async finish(teamId: string): Promise<void> {
    if (!this.#hidden.has(teamId)) return;
    await this.#deleteStored(teamId);
    await this.restore(teamId);
  }

  /** Deletes the threads for good that an earlier window has left hidden, as it crashed. Does so once. */
  async finishLeft(): Promise<void> {
    await this.#finish(this.#left.splice(0));
  }

  /** Deletes all hidden threads for good. */
  async finishAll(): Promise<void> {
    await this.#finish([...this.#hidden]);
  }

  async #finish(teamIds: readonly string[]): Promise<void> {
    await Promise.allSettled(teamIds.map((teamId) => this.finish(teamId)));
  }

  async #set(hidden: ReadonlySet<string>): Promise<void> {
    this.#hidden = hidden;
    await this.#memento.update(KEY, [...hidden]);
  }
}
