import type { Transport } from "@modelcontextprotocol/client";
import { unlessAborted } from "../engine/cancellation/unless-aborted.ts";
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
  /** Waits until the user has signed in, if the server wants that; false if it does not. */
  readonly finishSignIn?: (signal: AbortSignal) => Promise<boolean>;
  readonly dispose?: () => void;
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
  const transport = httpTransport(server, signIn);
  let finishing: Promise<void> | undefined;
  let waiting = 0;
  const finish = async (): Promise<void> => {
    try {
      await transport.finishAuth(await signIn.answer());
    } finally {
      signIn.ended();
      finishing = undefined;
    }
  };
  return {
    transport,
    isNewest: !server.isSse,
    failure: () => undefined,
    finishSignIn: async (signal) => {
      if (!signIn.isOpen) return false;
      // Requests that wait for the same sign-in share it, also when one of them is given up.
      finishing ??= finish();
      waiting += 1;
      await unlessAborted(finishing, signal).finally(() => {
        waiting -= 1;
      });
      if (signal.aborted && waiting === 0) signIn.giveUp();
      signal.throwIfAborted();
      return true;
    },
    dispose: () => signIn[Symbol.dispose](),
  };
}
