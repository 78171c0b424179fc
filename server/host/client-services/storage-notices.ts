import { type Connection, MessageType } from "vscode-languageserver/node";
import { StorageStatusNotification } from "../../../shared/contract/client-requests.ts";
import type { StorageStatus } from "../../../shared/contract/storage.ts";
import type { HostLog } from "../log/host-log.ts";
import type { StorageHealth } from "../store/storage-health.ts";

const TRY_AGAIN = "Try Again";
const CONTINUE = "Continue Without Saving";

export interface StorageNoticesOptions {
  readonly connection: Connection;
  readonly log: HostLog;
  readonly health: () => StorageHealth;
  /** Shows a message to the user of a client that cannot ask. */
  readonly notifyUser: (message: string) => void;
}

/** Tells the user that the storage cannot be written, once for each cause, and asks what to do. */
export class StorageNotices {
  readonly #options: StorageNoticesOptions;

  constructor(options: StorageNoticesOptions) {
    this.#options = options;
  }

  changed(status: StorageStatus): void {
    const { connection, log } = this.#options;
    void connection.sendNotification(StorageStatusNotification.method, status);
    const { state, message = "" } = status;
    if (state === "saving") log.info("The storage can be written again: everything is stored.");
    else log.warn(message);
    if (state === "failing") void this.#ask(message);
  }

  async #ask(message: string): Promise<void> {
    const { connection, notifyUser, health } = this.#options;
    const type = MessageType.Error;
    const actions = [{ title: TRY_AGAIN }, { title: CONTINUE }];
    try {
      const answer: unknown = await connection.sendRequest("window/showMessageRequest", { type, message, actions });
      const title = typeof answer === "object" && answer !== null && "title" in answer ? answer.title : undefined;
      if (title === CONTINUE) health().continueUnsaved();
      if (title !== TRY_AGAIN) return;
    } catch {
      notifyUser(message);
      return;
    }
    const now = await health().retry();
    if (now.state === "failing") await this.#ask(now.message ?? message);
  }
}
