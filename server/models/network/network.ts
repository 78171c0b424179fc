import type { LookupFunction } from "node:net";
import { causesOf, certificateProblem, NetworkError, type NetworkProblem } from "./network-error.ts";
import type { NetworkSettings } from "./network-settings.ts";
import { proxyFor } from "./proxy-address.ts";
import { type Agents, type Answer, directAgents, type Get, lookupAgents, type Post, send } from "./send.ts";
import { SystemCertificates } from "./system-certificates.ts";
import { tunnelAgents } from "./tunnel.ts";

/** Sends a request to an endpoint. */
export type Send = (url: URL, post: Post) => Promise<Answer>;

/** Sends requests as the user's settings say: through a proxy, and with the certificates that are trusted here. */
export class Network {
  readonly #settings: () => Promise<NetworkSettings>;
  readonly #certificates = new SystemCertificates();
  /** The connections that are kept while the settings stay as they are, by the proxy; those without one by "". */
  readonly #agents = new Map<string, Agents>();
  #last: NetworkSettings | undefined;

  /** `settings` is asked before each request, and returns the same object until they change. */
  constructor(settings: () => Promise<NetworkSettings>) {
    this.#settings = settings;
  }

  /** @throws NetworkError when a proxy or a certificate is in the way; else what {@link send} throws. */
  readonly send: Send = (url, post) => this.#sendWith(url, post, (settings) => this.#agentsFor(url, settings));

  /**
   * Likewise. `lookup` resolves the name for a connection to the server itself; a proxy resolves it by its own means.
   */
  readonly sendResolved = (
    url: URL,
    { lookup, ...request }: (Get | Post) & { readonly lookup: LookupFunction },
  ): Promise<Answer> =>
    this.#sendWith(url, request, (settings) =>
      proxyFor(url, settings) === undefined ? lookupAgents(settings.strictSsl, lookup) : this.#agentsFor(url, settings),
    );

  async #sendWith(url: URL, request: Post | Get, agentsFor: (settings: NetworkSettings) => Agents): Promise<Answer> {
    const settings = await this.#settings();
    if (!settings.systemCertificates) this.#certificates.distrust();
    for (;;) {
      const hadSystem = this.#certificates.areTrusted;
      try {
        return await send(url, request, agentsFor(settings));
      } catch (error) {
        const problem = problemOf(error);
        if (problem === undefined) throw error;
        const mayTrust = settings.systemCertificates && problem.kind === "certificate" && problem.isUntrusted;
        if (!mayTrust || hadSystem || !this.#certificates.trust()) throw new NetworkError(problem);
      }
    }
  }

  #agentsFor(url: URL, settings: NetworkSettings): Agents {
    // What is under way ends as it began; connections that nothing uses are closed after a while.
    if (this.#last !== settings) this.#agents.clear();
    this.#last = settings;
    const address = proxyFor(url, settings);
    const key = address?.href ?? "";
    const { strictSsl: rejectUnauthorized, authorization } = settings;
    const agents =
      this.#agents.get(key) ??
      (address === undefined
        ? directAgents(rejectUnauthorized)
        : tunnelAgents({ address, authorization, rejectUnauthorized }));
    this.#agents.set(key, agents);
    return agents;
  }
}

const problemOf = (error: unknown): NetworkProblem | undefined =>
  causesOf(error).find((cause) => cause instanceof NetworkError)?.problem ?? certificateProblem(error);
