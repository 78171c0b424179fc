import { setImmediate as nextTurn } from "node:timers/promises";
import { type GavelError, requestCancelled } from "../../../../shared/contract/errors.ts";

interface OpenRequest {
  readonly method: string;
  /** The team that it is about, if it names one. */
  readonly teamId: string | undefined;
  readonly reject: (error: GavelError) => void;
}

/** The requests that are not answered yet, so that none stays without an answer when nothing can answer it any more. */
export class OpenRequests {
  readonly #open = new Set<OpenRequest>();

  /** Does the work of a request, unless the request is rejected first: then its result is dropped. */
  async answer<T>(method: string, teamId: string | undefined, work: () => Promise<T>): Promise<T> {
    const { promise: rejected, reject } = Promise.withResolvers<never>();
    const request = { method, teamId, reject };
    this.#open.add(request);
    try {
      return await Promise.race([work(), rejected]);
    } finally {
      this.#open.delete(request);
    }
  }

  /**
   * Rejects the requests about a team that are open now, once those that have their answer have given it. `error` makes the
   * error from a request's method.
   */
  async endThoseOf(teamId: string, error: (method: string) => GavelError): Promise<void> {
    const open = [...this.#open].filter((request) => request.teamId === teamId);
    await nextTurn();
    for (const { method, reject } of open) reject(error(method));
  }

  /** Rejects all requests, once those that have their answer have given it. */
  async endAll(why: string): Promise<void> {
    await nextTurn();
    for (const { method, reject } of this.#open) reject(requestCancelled(method, why));
    // The answers are written before that to the request that ended them.
    await nextTurn();
  }
}
