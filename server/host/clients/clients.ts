import { StorageStatusNotification } from "../../../shared/contract/client-requests.ts";
import type { StorageStatus } from "../../../shared/contract/storage.ts";
import type { HostLog } from "../log/host-log.ts";
import { acting } from "./acting.ts";
import type { Client } from "./client.ts";

/** The clients of a host, those that are connected in the order in which they came. */
export class Clients {
  readonly #connected = new Set<Client>();
  /**
   * What supplies what no client asked for, and what guests need: the one that has been connected longest or, when all have
   * gone, the last. It is never a guest.
   */
  #first: Client;
  #storage: StorageStatus = { state: "saving" };

  readonly #ownLog: HostLog | undefined;

  /** The first one. `ownLog` is a log of the host itself. */
  constructor(first: Client, ownLog?: HostLog) {
    this.#first = first;
    this.#ownLog = ownLog;
    this.#connected.add(first);
  }

  /** Those that are connected. */
  get connected(): readonly Client[] {
    return [...this.#connected];
  }

  /** Those on the computer of the host. */
  get local(): readonly Client[] {
    return this.connected.filter(({ isGuest }) => !isGuest);
  }

  /** The client whose user acts now, also if it has gone; for what no client asked for, the one that was there first. */
  get actor(): Client {
    return acting()?.client ?? this.#first;
  }

  /** The client that supplies what is needed now: the one whose user acts or, for a guest, one of the host's computer. */
  get now(): Client {
    const { actor } = this;
    return actor.isGuest ? this.#first : actor;
  }

  joined(client: Client): void {
    this.#connected.add(client);
    if (client.isGuest) return;
    if (!this.#first.isConnected) this.#first = client;
    if (this.#storage.state !== "saving") client.notify(StorageStatusNotification.method, this.#storage);
  }

  left(client: Client): void {
    client.left();
    this.#connected.delete(client);
    const [next] = this.local;
    if (this.#first === client && next !== undefined) this.#first = next;
  }

  /** Shows a message on the computer of the host. */
  warn(message: string): void {
    for (const client of this.local) client.warn(message);
  }

  /** Tells all, and those that come later, whether what happens can be stored. */
  storageChanged(status: StorageStatus): void {
    this.#storage = status;
    for (const client of this.local) client.notify(StorageStatusNotification.method, status);
  }

  refreshDiagnostics(): void {
    for (const client of this.local) client.refreshDiagnostics();
  }

  /** The log of the host, which the clients on its computer show. A line for one that has gone is dropped. */
  get log(): HostLog {
    const line = (level: keyof HostLog) => (message: string) => {
      this.#ownLog?.[level](message);
      for (const { connection } of this.local) {
        try {
          connection.console[level](message);
        } catch {
          // It is closed.
        }
      }
    };
    return { error: line("error"), warn: line("warn"), info: line("info"), debug: line("debug") };
  }
}
