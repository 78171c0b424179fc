import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import * as z from "zod";
import { parseJson } from "../../shared/parse-json.ts";
import { safeParse } from "../../shared/safe-parse.ts";
import { webAddress } from "./elicitation.ts";
import { RedirectListener } from "./redirect-listener.ts";

/** Where the sign-in to a server is kept. Nothing of it is logged. */
export interface SignInStore {
  /** What was kept last; undefined for nothing. */
  get(): Promise<string | undefined>;
  set(value: string | undefined): Promise<void>;
}

/** A client that the user has registered with an authorization server. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret?: string;
}

/** Shows the user where to sign in, and opens it if the user wants that; false if not. */
export type OpenSignIn = (url: URL) => Promise<boolean>;

/** Where VS Code listens for the answer: what users have registered for it fits here too. */
const REGISTERED_PORT = 33_418;

/** What is kept: as the SDK gave it, with the port that was registered with the authorization server. */
const Kept = z.object({
  port: z.number().int().optional(),
  client: z.record(z.string(), z.unknown()).optional(),
  tokens: z.record(z.string(), z.unknown()).optional(),
});
type Kept = z.infer<typeof Kept>;

/**
 * Gavel as an OAuth client of one server, for the SDK's own flow: one that registers itself or that the user has registered,
 * PKCE, and an answer to this computer's loopback address. One sign-in at a time: see `SignIn`.
 */
export class OAuthClient implements OAuthClientProvider, Disposable {
  readonly #store: SignInStore;
  readonly #open: OpenSignIn;
  readonly #registered: RegisteredClient | undefined;
  readonly #listener: RedirectListener;
  #kept: Kept;
  #verifier = "";
  #discovered: OAuthDiscoveryState | undefined;

  private constructor(
    store: SignInStore,
    open: OpenSignIn,
    registered: RegisteredClient | undefined,
    listener: RedirectListener,
    kept: Kept,
  ) {
    this.#store = store;
    this.#open = open;
    this.#registered = registered;
    this.#listener = listener;
    this.#kept = kept;
  }

  /** Listens for answers until it is disposed. @throws Error whose message is the rest of a sentence about the server. */
  static async create(store: SignInStore, open: OpenSignIn, registered?: RegisteredClient): Promise<OAuthClient> {
    const { port, client, ...rest } = readKept((await store.get()) ?? "{}");
    const listener = await RedirectListener.listen(
      [...(registered === undefined ? [] : [REGISTERED_PORT]), ...(port === undefined ? [] : [port]), 0],
      registered === undefined ? "/callback" : "/",
    );
    // The authorization server may know only the port of last time.
    const kept = listener.port === port ? { port, ...(client === undefined ? {} : { client }), ...rest } : rest;
    return new OAuthClient(store, open, registered, listener, kept);
  }

  get redirectUrl(): string {
    return this.#listener.url;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: "Gavel",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  state(): string {
    return this.#listener.expect();
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret } = this.#registered ?? {};
    if (clientId !== undefined)
      return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
    // As this provider gave it to `saveClientInformation`.
    return this.#kept.client as StoredOAuthClientInformation | undefined;
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    await this.#keep({ ...this.#kept, client: { ...client }, port: this.#listener.port });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#kept.tokens as StoredOAuthTokens | undefined;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    await this.#keep({ ...this.#kept, tokens: { ...tokens } });
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  /** Where the user was sent to: the answer is taken only by that authorization server. */
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    if (webAddress(url.href) === undefined) throw new Error("was not started, as its sign-in has no web address");
    if (!(await this.#open(url))) throw new Error("was not started, as you did not sign in");
  }

  async invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    const { client, tokens, ...rest } = this.#kept;
    if (scope === "all" || scope === "discovery") this.#discovered = undefined;
    if (scope === "all") await this.#keep(rest);
    if (scope === "client") await this.#keep({ ...rest, ...(tokens === undefined ? {} : { tokens }) });
    if (scope === "tokens") await this.#keep({ ...rest, ...(client === undefined ? {} : { client }) });
  }

  /** What the authorization server answered, once the user has signed in. @throws Error when the user does not in time. */
  answer(): Promise<URLSearchParams> {
    return this.#listener.answer();
  }

  /** Nothing waits for the answer any more. */
  giveUp(): void {
    this.#listener.giveUp();
  }

  [Symbol.dispose](): void {
    this.#listener[Symbol.dispose]();
  }

  async #keep(kept: Kept): Promise<void> {
    this.#kept = kept;
    await this.#store.set(JSON.stringify(kept));
  }
}

/** What is damaged counts as nothing: the user signs in again. */
function readKept(text: string): Kept {
  try {
    const parsed = safeParse(Kept, parseJson(text));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}
