import http, { type IncomingHttpHeaders } from "node:http";
import https from "node:https";
import type { LookupFunction, Socket } from "node:net";

/** A request, a POST unless it has another method. Its body is a text, as it may be sent a second time. */
export interface Post {
  readonly method?: "POST" | "GET" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Closes the connection when it is aborted, also while the answer's body is read. */
  readonly signal: AbortSignal;
}

/** A GET request. */
export type Get = Omit<Post, "body"> & { readonly body?: undefined };

/** An answer, whose body has not been read. A reader that stops before the end closes the connection. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<Uint8Array>;
}

/** What makes and keeps the connections. */
export interface Agents {
  readonly http: http.Agent;
  readonly https: https.Agent;
}

/**
 * How long a connection waits for another request, in milliseconds, unless its server closes it earlier: less than servers
 * usually wait, as a request that meets the end of its connection fails.
 */
const KEEP_ALIVE = 4_000;

/** How long a connection may take to be made, in milliseconds: as long as that of `fetch`. */
export const CONNECT_TIMEOUT = 10_000;

export const AGENT_OPTIONS = { keepAlive: true, timeout: KEEP_ALIVE } as const;

/** Connections to the endpoints themselves. */
export function directAgents(rejectUnauthorized = true): Agents {
  return { http: new http.Agent(AGENT_OPTIONS), https: new https.Agent({ ...AGENT_OPTIONS, rejectUnauthorized }) };
}

/** Connections for one request alone, whose names `lookup` resolves: none is taken that was made without it. */
export function lookupAgents(rejectUnauthorized: boolean, lookup: LookupFunction): Agents {
  return { http: new http.Agent({ lookup }), https: new https.Agent({ lookup, rejectUnauthorized }) };
}

const direct = directAgents();

/**
 * Sends a request. Redirects are not followed. It does not use `fetch`, whose streams and headers would be a third of the
 * host's work for a short answer.
 *
 * @throws what Node or the agent throws when there is no connection, or when it breaks before there is an answer; an error
 * with the code ETIMEDOUT when none is made in time.
 */
export function send(url: URL, asked: Post | Get, agents = direct): Promise<Answer> {
  const { headers, body, signal } = asked;
  const { method = body === undefined ? "GET" : "POST" } = asked;
  const isSecure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const options = { method, headers };
    const request = isSecure
      ? https.request(url, { ...options, agent: agents.https })
      : http.request(url, { ...options, agent: agents.http });
    // Given to the request, the signal would cost more than all of its other options.
    const abort = (): void => {
      reject(signal.reason);
      request.destroy();
    };
    signal.addEventListener("abort", abort, { once: true });
    request.on("error", reject);
    let isAnswered = false;
    request.on("close", () => {
      signal.removeEventListener("abort", abort);
      // Of an answer that switches to another protocol, Node only says that the request is closed.
      if (!isAnswered) reject(closedError());
    });
    request.on("socket", (socket) => {
      if (socket.connecting) limitConnecting(socket, isSecure ? "secureConnect" : "connect");
    });
    request.on("response", (response) => {
      isAnswered = true;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response });
    });
    request.end(body === "" ? undefined : body);
  });
}

const closedError = (): Error =>
  Object.assign(new Error("The connection was closed without an answer."), { code: "ECONNRESET" });

/** Ends a connection that is not made in time, with an error of the code ETIMEDOUT. */
export function limitConnecting(socket: Socket, made: "connect" | "secureConnect"): void {
  const error = Object.assign(new Error("No connection was made in time."), { code: "ETIMEDOUT" });
  const timer = setTimeout(() => socket.destroy(error), CONNECT_TIMEOUT);
  const stop = (): void => clearTimeout(timer);
  socket.once(made, stop).once("close", stop);
}
