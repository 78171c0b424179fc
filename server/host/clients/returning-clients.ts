import type { Client } from "./client.ts";

/** How many clients are remembered: those that came last. */
const MAX_KNOWN = 100;

/** The clients that gave themselves an id. One that gives it again takes the place of the one before. */
export class ReturningClients {
  /** By user and id, the one that came last at the end. */
  readonly #known = new Map<string, Client>();

  /** A connection that has broken without a word may still seem to be there: the new one counts. */
  joined(client: Client): void {
    const { ownId, user } = client;
    if (ownId === undefined) return;
    const key = JSON.stringify([user.id, ownId]);
    const before = this.#known.get(key);
    this.#known.delete(key);
    this.#known.set(key, client);
    before?.returned(client);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}
