import type { Documents, OpenDocument } from "../../tools/index.ts";
import type { Client } from "./client.ts";
import type { Clients } from "./clients.ts";

/** How long the open documents of a client whose user does not act are waited for, in milliseconds. */
const MAX_WAIT_MS = 1_000;

/**
 * The open documents of all clients, so that no window's unsaved text is overwritten by a team that another runs. A document
 * with unsaved changes comes first, then that of the client whose user acts.
 */
export class OpenDocuments implements Documents {
  readonly #clients: Clients;
  readonly #owners = new WeakMap<OpenDocument, Client>();
  /** Clients that have not answered in time: they are not waited for until they have. */
  readonly #slow = new WeakSet<Client>();

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  async read(path: string, signal?: AbortSignal): Promise<OpenDocument | undefined> {
    const { now, local } = this.#clients;
    const others = local.filter((client) => client !== now && !this.#slow.has(client));
    const [own, ...open] = await Promise.all([
      now.isConnected ? this.#readOf(now, path, signal) : undefined,
      ...others.map((client) => this.#readInTime(client, path, signal)),
    ]);
    const found = [own, ...open].filter((document) => document !== undefined);
    return found.find(({ isDirty }) => isDirty) ?? found[0];
  }

  async write(document: OpenDocument, text: string): Promise<boolean> {
    const owner = this.#owners.get(document) ?? this.#clients.now;
    return owner.isConnected && owner.documents.write(document, text);
  }

  async #readOf(client: Client, path: string, signal: AbortSignal | undefined): Promise<OpenDocument | undefined> {
    try {
      const document = await client.documents.read(path, signal);
      if (document !== undefined) this.#owners.set(document, client);
      return document;
    } catch (error) {
      if (client.isConnected) throw error;
      return undefined;
    }
  }

  /** What another client has open; nothing if it fails or is slow, as a stalled window is not to hold up a team's edits. */
  async #readInTime(client: Client, path: string, signal: AbortSignal | undefined): Promise<OpenDocument | undefined> {
    const read = this.#readOf(client, path, signal).catch(() => undefined);
    void read.then(() => this.#slow.delete(client));
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => {
      this.#slow.add(client);
      late.resolve(undefined);
    }, MAX_WAIT_MS);
    try {
      return await Promise.race([read, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
