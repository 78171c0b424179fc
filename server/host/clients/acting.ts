import { AsyncLocalStorage } from "node:async_hooks";
import type { Client } from "./client.ts";

/** The client whose user acts, and the team that it acts on, if the request names one. */
export interface Acting {
  readonly client: Client;
  readonly teamId?: string | undefined;
}

/** Whose messages come by a connection: the client is known from its `initialize` on. */
export interface Sender {
  client?: Client;
  readonly teamId?: string | undefined;
}

const storage = new AsyncLocalStorage<Sender>();

/**
 * In whose name this code runs: of the client whose message led to it, also after whatever was awaited since. Undefined for
 * the parent of a host, which has only to be told apart once others have joined, and for what no message led to.
 */
export function acting(): Acting | undefined {
  const { client, teamId } = storage.getStore() ?? {};
  return client === undefined ? undefined : { client: client.latest, teamId };
}

/** Does the work in that client's name. */
export const actAs = <T>(who: Sender, work: () => T): T => storage.run(who, work);

/** Does the work in the name of the client that acts already, for that team. */
export function actOn<T>(teamId: string | undefined, work: () => T): T {
  const who = teamId === undefined ? undefined : acting();
  return who === undefined ? work() : actAs({ client: who.client, teamId }, work);
}

/** What it returns does work in the name of who acts now. */
export function keepActing(): (work: () => void) => void {
  const who = storage.getStore();
  return (work) => (storage.getStore() === who ? work() : storage.run(who ?? {}, work));
}
