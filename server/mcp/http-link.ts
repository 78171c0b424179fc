import type { Transport } from "@modelcontextprotocol/client";
import { type HttpServer, httpTransport } from "./http-transport.ts";
import type { SignIn } from "./sign-in.ts";

/** How a server that knows only HTTP with SSE answers the first request of Streamable HTTP, as the protocol has it. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 405]);

/** How a server is reached. */
export interface Link {
  readonly transport: Transport;
  /** Whether it may be asked for the newest version of the protocol. */
  readonly isNewest: boolean;
  /** Why the connection has ended, as the rest of a sentence about the server; undefined if that is not known. */
  readonly failure: () => string | undefined;
  /** Where the user signs in to the server, if it can want that. */
  readonly signIn?: SignIn;
}

/**
 * Opens a server of HTTP, over HTTP with SSE if it refuses Streamable HTTP. See "Backwards Compatibility" of the protocol's
 * page on transports. @throws what `open` throws; for a server that knows neither, what it throws for Streamable HTTP.
 */
export async function orOverSse<T>(server: HttpServer, open: (server: HttpServer) => Promise<T>): Promise<T> {
  if (server.isSse) return open(server);
  const { href } = new URL(server.url);
  let refused = false;
  const watched: HttpServer = {
    ...server,
    fetch: async (input, init) => {
      const response = await server.fetch(input, init);
      if (init?.method === "POST" && new URL(input).href === href) refused = REFUSALS.has(response.status);
      return response;
    },
  };
  try {
    return await open(watched);
  } catch (error) {
    if (!refused) throw error;
    return open({ ...server, isSse: true }).catch(() => {
      throw error;
    });
  }
}

/** A link over one of the two transports of HTTP. */
export function httpLink(server: HttpServer, signIn: SignIn): Link {
  return { transport: httpTransport(server, signIn), isNewest: !server.isSse, failure: () => undefined, signIn };
}
