import { StorageStatusNotification } from "../../../shared/contract/client-requests.ts";
import type { StorageStatus } from "../../../shared/contract/storage.ts";
import type { HostLog } from "../log/host-log.ts";
import { acting } from "./acting.ts";
import type { Client } from "./client.ts";

/** The clients of a host, those that are connected in the order in which they came. */
export class Clients {
  readonly #connected = new Set<Client>();
  /** What supplies what no client asked for: the one that has been connected longest or, when all have gone, the last. */
  #first: Client;
  #storage: StorageStatus = { state: "saving" };

  /** The first one. */
  constructor(first: Client) {
    this.#first = first;
    this.#connected.add(first);
  }

  /** Those that are connected. */
  get connected(): readonly Client[] {
    return [...this.#connected];
  }

  /** The client whose user acts now, also if it has gone; for what no client asked for, the one that was there first. */
  get now(): Client {
    return acting()?.client ?? this.#first;
  }

  joined(client: Client): void {
    this.#connected.add(client);
    if (!this.#first.isConnected) this.#first = client;
    if (this.#storage.state !== "saving") client.notify(StorageStatusNotification.method, this.#storage);
  }

  left(client: Client): void {
    client.left();
    this.#connected.delete(client);
    const [next] = this.#connected;
    if (this.#first === client && next !== undefined) this.#first = next;
  }

  notify(method: string, params: object): void {
    for (const client of this.#connected) client.notify(method, params);
  }

  /** Shows a message to every user. */
  warn(message: string): void {
    for (const client of this.#connected) client.warn(message);
  }

  /** Tells all, and those that come later, whether what happens can be stored. */
  storageChanged(status: StorageStatus): void {
    this.#storage = status;
    this.notify(StorageStatusNotification.method, status);
  }

  refreshDiagnostics(): void {
    for (const client of this.#connected) client.refreshDiagnostics();
  }

  /** The log that all clients show. A line for a client that has gone is dropped. */
  get log(): HostLog {
    const line = (level: keyof HostLog) => (message: string) => {
      for (const { connection } of this.#connected) {
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
