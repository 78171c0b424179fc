import { MessageType } from "vscode-languageserver/node";
import type { StorageStatus } from "../../../shared/contract/storage.ts";
import type { HostLog } from "../log/host-log.ts";
import type { StorageHealth } from "../store/storage-health.ts";
import type { Clients } from "./clients.ts";

const TRY_AGAIN = "Try Again";
const CONTINUE = "Continue Without Saving";

export interface StorageNoticesOptions {
  readonly clients: Clients;
  readonly log: HostLog;
  readonly health: () => StorageHealth;
}

/** Tells the users that the storage cannot be written, once for each cause, and asks one of them what to do. */
export class StorageNotices {
  readonly #options: StorageNoticesOptions;

  constructor(options: StorageNoticesOptions) {
    this.#options = options;
  }

  changed(status: StorageStatus): void {
    const { clients, log } = this.#options;
    clients.storageChanged(status);
    const { state, message = "" } = status;
    if (state === "saving") log.info("The storage can be written again: everything is stored.");
    else log.warn(message);
    if (state === "failing") void this.#ask(message);
  }

  async #ask(message: string): Promise<void> {
    const { clients, health } = this.#options;
    const { connection } = clients.now;
    const type = MessageType.Error;
    const actions = [{ title: TRY_AGAIN }, { title: CONTINUE }];
    try {
      const answer: unknown = await connection.sendRequest("window/showMessageRequest", { type, message, actions });
      const title = typeof answer === "object" && answer !== null && "title" in answer ? answer.title : undefined;
      if (title === CONTINUE) health().continueUnsaved();
      if (title !== TRY_AGAIN) return;
    } catch {
      clients.warn(message);
      return;
    }
    const now = await health().retry();
    if (now.state === "failing") await this.#ask(now.message ?? message);
  }
}
