import { type FetchLike, type OAuthClientProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** A server that is reached by Streamable HTTP. */
export interface HttpServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends requests as the user's network settings say, with a limit on what is read. */
  readonly fetch: FetchLike;
  readonly authProvider?: OAuthClientProvider;
}

/** The SDK's own transport. A stream that breaks is resumed; a redirect stays within the origin. */
export function httpTransport({ url, headers, fetch, authProvider }: HttpServer): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    requestInit: { headers: { ...headers } },
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: 5,
    },
    ...(authProvider === undefined ? {} : { authProvider }),
  });
}
