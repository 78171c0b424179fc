import { type FetchLike, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { SignIn, SignInStore } from "./sign-in.ts";

/** A server that is reached by Streamable HTTP. */
export interface HttpServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends requests as the user's network settings say, with a limit on what is read. */
  readonly fetch: FetchLike;
  readonly signIn: SignInStore;
}

/** The SDK's own transport. A stream that breaks is resumed; a redirect stays within the origin. */
export function httpTransport({ url, headers, fetch }: HttpServer, signIn: SignIn): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    requestInit: { headers: { ...headers } },
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: 5,
    },
    authProvider: signIn,
  });
}
