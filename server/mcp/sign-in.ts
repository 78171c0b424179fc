import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import * as z from "zod";
import { safeParse } from "../../shared/safe-parse.ts";
import { webAddress } from "./elicitation.ts";

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

/** Where VS Code listens for the answer: what users have registered for it fits here too. */
const REGISTERED_PORT = 33_418;

/** Shows the user where to sign in, and opens it if the user wants that; false if not. */
export type OpenSignIn = (url: URL) => Promise<boolean>;

/** How long the user may take to sign in, in milliseconds. */
const SIGN_IN_MS = 300_000;

/** What is kept: as the SDK gave it, with the port that was registered with the authorization server. */
const Kept = z.object({
  port: z.number().int().optional(),
  client: z.record(z.string(), z.unknown()).optional(),
  tokens: z.record(z.string(), z.unknown()).optional(),
});
type Kept = z.infer<typeof Kept>;

/**
 * The sign-in to one server by OAuth: with the SDK's own flow, a client that registers itself, PKCE, and an answer to this
 * machine's loopback address.
 */
export class SignIn implements OAuthClientProvider, Disposable {
  readonly #store: SignInStore;
  readonly #open: OpenSignIn;
  readonly #registered: RegisteredClient | undefined;
  #state = "";
  #code = Promise.withResolvers<URLSearchParams>();
  #kept: Kept = {};
  /** By their challenges: each request that needs a sign-in makes one, and one of them is opened. */
  readonly #verifiers = new Map<string, string>();
  #verifier = "";
  #discovered: OAuthDiscoveryState | undefined;
  #server: Server | undefined;
  #port = 0;
  /** Whether the user opens the page; undefined while nothing is asked. */
  #asking: Promise<boolean> | undefined;
  #isOpen = false;

  private constructor(store: SignInStore, open: OpenSignIn, registered: RegisteredClient | undefined) {
    this.#store = store;
    this.#open = open;
    this.#registered = registered;
  }

  /** Listens for the answer until it is disposed. */
  static async create(store: SignInStore, open: OpenSignIn, registered?: RegisteredClient): Promise<SignIn> {
    const signIn = new SignIn(store, open, registered);
    const parsed = safeParse(Kept, parsedJson((await store.get()) ?? "{}"));
    signIn.#kept = parsed.success ? parsed.data : {};
    await signIn.#listen();
    return signIn;
  }

  /** Whether the user was sent to sign in, and the answer was not taken yet. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get redirectUrl(): string {
    return `http://127.0.0.1:${this.#port}${this.#path}`;
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

  /** Asked for by the SDK for each request that needs a sign-in; those at the same time share one. */
  state(): string {
    if (this.#state === "") this.#state = randomBytes(16).toString("base64url");
    return this.#state;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret } = this.#registered ?? {};
    if (clientId !== undefined)
      return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
    // As this provider gave it to `saveClientInformation`.
    return this.#kept.client as StoredOAuthClientInformation | undefined;
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    await this.#keep({ ...this.#kept, client: { ...client }, port: this.#port });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#kept.tokens as StoredOAuthTokens | undefined;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    await this.#keep({ ...this.#kept, tokens: { ...tokens } });
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifiers.set(createHash("sha256").update(verifier).digest("base64url"), verifier);
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
    this.#asking ??= this.#ask(url);
    if (!(await this.#asking)) throw new Error("was not started, as you did not sign in");
  }

  async #ask(url: URL): Promise<boolean> {
    this.#verifier = this.#verifiers.get(url.searchParams.get("code_challenge") ?? "") ?? "";
    this.#code = Promise.withResolvers<URLSearchParams>();
    this.#code.promise.catch(() => undefined);
    try {
      this.#isOpen = await this.#open(url);
    } finally {
      if (!this.#isOpen) this.ended();
    }
    return this.#isOpen;
  }

  /** The sign-in is over: the next request that needs one asks the user again. */
  ended(): void {
    this.#isOpen = false;
    this.#asking = undefined;
    this.#state = "";
    this.#verifiers.clear();
  }

  async invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    const { client, tokens, ...rest } = this.#kept;
    if (scope === "all" || scope === "discovery") this.#discovered = undefined;
    if (scope === "all") await this.#keep(rest);
    if (scope === "client") await this.#keep({ ...rest, ...(tokens === undefined ? {} : { tokens }) });
    if (scope === "tokens") await this.#keep({ ...rest, ...(client === undefined ? {} : { client }) });
  }

  /** What the authorization server answered, once the user has signed in. @throws Error when the user does not in time. */
  async answer(): Promise<URLSearchParams> {
    const { promise, reject } = this.#code;
    const late = setTimeout(() => reject(new Error("was not started, as you did not sign in in time")), SIGN_IN_MS);
    late.unref();
    try {
      return await promise;
    } finally {
      clearTimeout(late);
    }
  }

  /** No request waits for it any more. */
  giveUp(): void {
    this.#code.reject(new Error("was not started, as you did not sign in"));
  }

  [Symbol.dispose](): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  get #path(): string {
    return this.#registered === undefined ? "/callback" : "/";
  }

  /** At the port of last time, if it is free: the authorization server may know only that one. */
  async #listen(): Promise<void> {
    if (this.#registered !== undefined && (await this.#listenAt(REGISTERED_PORT))) return;
    const { port, client: _, ...rest } = this.#kept;
    const last = port === undefined ? undefined : await this.#listenAt(port);
    if (last === true) return;
    if (port !== undefined) this.#kept = rest;
    if (!(await this.#listenAt(0))) throw new Error("could not be started, as no port is free for its sign-in");
  }

  #listenAt(port: number): Promise<boolean> {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      const isAnswer =
        url.pathname === this.#path && this.#state !== "" && isSame(url.searchParams.get("state") ?? "", this.#state);
      response.writeHead(isAnswer ? 200 : 404, { "content-type": "text/plain; charset=utf-8", connection: "close" });
      response.end(isAnswer ? "You can close this page and return to VS Code." : "There is nothing here.");
      if (isAnswer) this.#code.resolve(url.searchParams);
    });
    return new Promise((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => {
        const address = server.address();
        if (typeof address === "object" && address !== null) this.#port = address.port;
        this.#server = server;
        server.unref();
        resolve(true);
      });
    });
  }

  async #keep(kept: Kept): Promise<void> {
    this.#kept = kept;
    await this.#store.set(JSON.stringify(kept));
  }
}

/** Compares digests, so that the time says nothing of the text. */
const isSame = (a: string, b: string): boolean => digest(a) === digest(b);
const digest = (text: string): string => createHash("sha256").update(text).digest("base64");

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
