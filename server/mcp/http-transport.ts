import { type FetchLike, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { RegisteredClient, SignInStore } from "./oauth-client.ts";
import type { SignIn } from "./sign-in.ts";

/** A server that is reached by HTTP. */
export interface HttpServer {
  readonly url: string;
  /** By the older HTTP with SSE; otherwise by Streamable HTTP, unless the server refuses that. */
  readonly isSse: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends requests as the user's network settings say, with a limit on what is read. */
  readonly fetch: FetchLike;
  readonly signIn: SignInStore;
  /** A client that is registered with its authorization server. */
  readonly client?: RegisteredClient;
}

/** Between a stream that ended and the next, in milliseconds, whatever the server wants. */
const MIN_WAIT = 500;
const MAX_WAIT = 30_000;

/** The SDK's own transports. A stream of Streamable HTTP that breaks is resumed; a redirect stays within the origin. */
export function httpTransport(server: HttpServer, signIn: SignIn): StreamableHTTPClientTransport | SSEClientTransport {
  const url = new URL(server.url);
  const fetch = signIn.withNewestToken(withHeaders(server));
  if (server.isSse) return new SSEClientTransport(url, { fetch, authProvider: signIn });
  return new StreamableHTTPClientTransport(url, {
    fetch,
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: MAX_WAIT,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: 5,
    },
    // Without it, a server that wants no wait at all would be asked without a pause.
    reconnectionScheduler: (reconnect, wait) => {
      const timer = setTimeout(reconnect, reconnectWait(wait));
      return () => clearTimeout(timer);
    },
    authProvider: signIn,
  });
}

/** How long is waited before a stream is resumed, in milliseconds. */
export const reconnectWait = (wanted: number): number => Math.min(Math.max(wanted, MIN_WAIT), MAX_WAIT);

/** The server's headers go to its own origin only, and not to where it says that the user signs in. */
export function withHeaders({ url, headers, fetch }: Pick<HttpServer, "url" | "headers" | "fetch">): FetchLike {
  const { origin } = new URL(url);
  const own = Object.entries(headers);
  for (const [name, value] of own) assertHeader(name, value);
  return (input, init) => {
    if (new URL(input).origin !== origin) return fetch(input, init);
    const all = new Headers(init?.headers);
    for (const [name, value] of own) if (!all.has(name)) all.set(name, value);
    return fetch(input, { ...init, headers: all });
  };
}

/** The value may be a secret, and what Node says of it has it in full. */
function assertHeader(name: string, value: string): void {
  try {
    new Headers([[name, value]]);
  } catch {
    throw new Error(
      `could not be started, as its header ${name} has a line break or another character that none can have`,
    );
  }
}
