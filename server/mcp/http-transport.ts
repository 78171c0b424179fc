import { type FetchLike, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { RegisteredClient, SignIn, SignInStore } from "./sign-in.ts";

/** A server that is reached by HTTP. */
export interface HttpServer {
  readonly url: string;
  /** By the older HTTP with SSE; otherwise by Streamable HTTP. */
  readonly isSse: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends requests as the user's network settings say, with a limit on what is read. */
  readonly fetch: FetchLike;
  readonly signIn: SignInStore;
  /** A client that is registered with its authorization server. */
  readonly client?: RegisteredClient;
}

/** The SDK's own transports. A stream of Streamable HTTP that breaks is resumed; a redirect stays within the origin. */
export function httpTransport(server: HttpServer, signIn: SignIn): StreamableHTTPClientTransport | SSEClientTransport {
  const url = new URL(server.url);
  const { fetch } = server;
  const requestInit = { headers: { ...server.headers } };
  if (server.isSse) return new SSEClientTransport(url, { fetch, requestInit, authProvider: signIn });
  return new StreamableHTTPClientTransport(url, {
    fetch,
    requestInit,
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: 5,
    },
    authProvider: signIn,
  });
}
