import {
  type AuthProvider,
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type FetchLike,
  InsufficientScopeError,
  isStrictScopeSuperset,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import { unlessAborted } from "../engine/cancellation/unless-aborted.ts";
import type { OAuthClient } from "./oauth-client.ts";

/** What a server asks for when it refuses a request, as the SDK's flow takes it. */
interface Challenge {
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
  readonly forceReauthorization?: boolean;
}

/** A request was refused until the user has signed in. */
class SignInNeeded extends Error {
  readonly wait: (signal: AbortSignal) => Promise<void>;

  constructor(wait: (signal: AbortSignal) => Promise<void>) {
    super("needs you to sign in");
    this.wait = wait;
  }
}

/**
 * The sign-in to one server by OAuth. Requests that need one while another is under way wait for that one: each would
 * register a client of its own, and the answer would fit only one of them.
 */
export class SignIn implements AuthProvider, Disposable {
  readonly #client: OAuthClient;
  readonly #serverUrl: URL;
  readonly #fetch: FetchLike;
  /** All that the server has asked for, as it counts for what it asks for next. */
  #scope: string | undefined;
  /** Settles when requests can be sent again, or are told what they wait for; undefined while no sign-in is under way. */
  #current: Promise<void> | undefined;

  /** `fetch` sends the requests of the sign-in itself. */
  constructor(client: OAuthClient, serverUrl: URL, fetch: FetchLike) {
    this.#client = client;
    this.#serverUrl = serverUrl;
    this.#fetch = fetch;
  }

  async token(): Promise<string | undefined> {
    return this.#client.tokens()?.access_token;
  }

  /** The server refused a request. Returns when it can be sent again. @throws what is for `resolves` when it cannot yet. */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    this.#scope = computeScopeUnion(this.#scope, scope);
    await this.#begin({ resourceMetadataUrl, scope });
  }

  /** Waits until the user has signed in, if that is what a request failed for; false if it failed for something else. */
  async resolves(error: unknown, signal: AbortSignal): Promise<boolean> {
    const needed = error instanceof InsufficientScopeError ? await this.#widen(error) : error;
    if (needed instanceof SignInNeeded) await needed.wait(signal);
    return needed === undefined || needed instanceof SignInNeeded;
  }

  /**
   * Sends a request that the server refused once more if a sign-in has ended meanwhile: its token is out of date, and a
   * refused request has had no effect.
   */
  withNewestToken(fetch: FetchLike): FetchLike {
    return async (input, init) => {
      const response = await fetch(input, init);
      const token = await this.token();
      const headers = new Headers(init?.headers);
      const isNewest = token === undefined || headers.get("authorization") === `Bearer ${token}`;
      if (response.status !== 401 || isNewest) return response;
      await response.body?.cancel();
      headers.set("authorization", `Bearer ${token}`);
      return fetch(input, { ...init, headers });
    };
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  /** The server wants the user to allow more. Returns what the request waits for; undefined if it can be sent again. */
  async #widen({ requiredScope, resourceMetadataUrl }: InsufficientScopeError): Promise<unknown> {
    const granted = this.#client.tokens()?.scope;
    this.#scope = computeScopeUnion(this.#scope, granted, requiredScope);
    // A refresh cannot bring more than was granted: RFC 6749, section 6.
    const forceReauthorization = isStrictScopeSuperset(this.#scope, granted);
    try {
      return await this.#begin({ resourceMetadataUrl, scope: this.#scope, forceReauthorization });
    } catch (error) {
      if (error instanceof SignInNeeded) return error;
      throw error;
    }
  }

  async #begin(challenge: Challenge): Promise<void> {
    this.#current ??= this.#start(challenge);
    await this.#current;
  }

  async #start(challenge: Challenge): Promise<void> {
    let signedIn: Promise<void> | undefined;
    try {
      if ((await this.#auth(challenge)) === "REDIRECT") signedIn = this.#finish(challenge);
    } finally {
      if (signedIn === undefined) this.#current = undefined;
    }
    if (signedIn !== undefined) throw new SignInNeeded(this.#waiting(signedIn));
  }

  async #finish(challenge: Challenge): Promise<void> {
    try {
      const answer = await this.#client.answer();
      const iss = answer.get("iss") ?? undefined;
      const authorizationCode = answer.get("code") ?? this.#refused(answer, iss);
      await this.#auth({ ...challenge, authorizationCode, ...(iss === undefined ? {} : { iss }) });
    } finally {
      this.#current = undefined;
    }
  }

  /** @throws Error with what the authorization server says, once it is known to be the one that says it: RFC 9207. */
  #refused(answer: URLSearchParams, iss: string | undefined): never {
    const { authorizationServerMetadata: metadata } = this.#client.discoveryState() ?? {};
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.["authorization_response_iss_parameter_supported"] === true,
    });
    const why = answer.get("error_description") ?? answer.get("error") ?? "its answer has no code";
    throw new Error(`did not let you sign in: ${why}`);
  }

  #auth(challenge: Challenge & { readonly authorizationCode?: string; readonly iss?: string }) {
    const { resourceMetadataUrl, scope, ...rest } = challenge;
    return auth(this.#client, {
      serverUrl: this.#serverUrl,
      fetchFn: this.#fetch,
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      ...(scope === undefined ? {} : { scope }),
      ...rest,
    });
  }

  /** Waits for a sign-in, which is given up with the last request that waits for it. */
  #waiting(signedIn: Promise<void>): (signal: AbortSignal) => Promise<void> {
    signedIn.catch(() => undefined);
    let count = 0;
    return async (signal) => {
      count += 1;
      await unlessAborted(signedIn, signal).finally(() => {
        count -= 1;
      });
      if (signal.aborted && count === 0) this.#client.giveUp();
      signal.throwIfAborted();
    };
  }
}
