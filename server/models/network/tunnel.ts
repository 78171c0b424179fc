import http, { type ClientRequestArgs, type IncomingMessage } from "node:http";
import https from "node:https";
import { isIPv6, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import tls, { type ConnectionOptions } from "node:tls";
import { certificateProblem, codeIn, NetworkError, type NetworkProblem } from "./network-error.ts";
import { AGENT_OPTIONS, type Agents, CONNECT_TIMEOUT, limitConnecting } from "./send.ts";

/** A proxy, and how it is asked for a tunnel. */
export interface Proxy {
  readonly address: URL;
  /** The header `Proxy-Authorization`; empty for the user name and password of the address, if it has them. */
  readonly authorization: string;
  /** Whether the certificates of the proxy and of the endpoints are checked. */
  readonly rejectUnauthorized: boolean;
}

type Done = (error: Error | null, socket: Duplex) => void;

/**
 * Connections through a proxy. Each is a tunnel (RFC 9110, 9.3.6), also for an endpoint without TLS: the proxy's credentials
 * go to the proxy alone, and what it answers is never taken for the endpoint's answer.
 */
export function tunnelAgents(proxy: Proxy): Agents {
  return { http: new TunnelAgent(proxy), https: new SecureTunnelAgent(proxy) };
}

class TunnelAgent extends http.Agent {
  readonly #proxy: Proxy;

  constructor(proxy: Proxy) {
    super(AGENT_OPTIONS);
    this.#proxy = proxy;
  }

  override createConnection(options: ClientRequestArgs, done?: Done): undefined {
    openTunnel(this.#proxy, options, 80).then((socket) => done?.(null, socket), failing(done));
  }
}

class SecureTunnelAgent extends https.Agent {
  readonly #proxy: Proxy;

  constructor(proxy: Proxy) {
    super({ ...AGENT_OPTIONS, rejectUnauthorized: proxy.rejectUnauthorized });
    this.#proxy = proxy;
  }

  override createConnection(options: ClientRequestArgs & ConnectionOptions, done?: Done): undefined {
    openTunnel(this.#proxy, options, 443).then((tunnel) => {
      const { path: _, ...secure } = options;
      const socket = tls.connect({ ...secure, socket: tunnel });
      limitConnecting(socket, "secureConnect");
      const fail = failing(done);
      socket.once("error", fail).once("secureConnect", () => {
        socket.off("error", fail);
        done?.(null, socket);
      });
    }, failing(done));
  }
}

/** Node's type wants a socket beside the error, which nothing reads. */
const failing =
  (done: Done | undefined) =>
  (error: unknown): void =>
    (done as ((error: unknown) => void) | undefined)?.(error);

/** @throws NetworkError when the proxy cannot be reached or opens no tunnel. */
function openTunnel(proxy: Proxy, { host, port }: ClientRequestArgs, defaultPort: number): Promise<Socket> {
  const { address, rejectUnauthorized } = proxy;
  const name = isIPv6(host ?? "") ? `[${host}]` : host;
  const target = `${name}:${port ?? defaultPort}`;
  const authorization = authorizationOf(proxy);
  const options = {
    method: "CONNECT",
    host: address.hostname.replace(/^\[|\]$/g, ""),
    port: address.port || (address.protocol === "https:" ? 443 : 80),
    path: target,
    agent: false,
    headers: { host: target, ...(authorization === "" ? {} : { "proxy-authorization": authorization }) },
  } as const;
  const request =
    address.protocol === "https:" ? https.request({ ...options, rejectUnauthorized }) : http.request(options);
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => request.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })), CONNECT_TIMEOUT);
    const fail = (problem: NetworkProblem): void => {
      clearTimeout(late);
      reject(new NetworkError(problem));
    };
    request.once("connect", ({ statusCode = 0 }: IncomingMessage, socket: Socket, head: Buffer) => {
      if (statusCode >= 200 && statusCode < 300) {
        clearTimeout(late);
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      fail({ kind: "proxyRefused", proxy: address.host, status: statusCode });
    });
    request.on("error", (error) => fail(connectionProblem(error, address.host)));
    request.end();
  });
}

function authorizationOf({ address: { username, password }, authorization }: Proxy): string {
  if (authorization !== "" || username === "") return authorization;
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

/** A user may have forgotten to encode a `%`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function connectionProblem(error: Error, proxy: string): NetworkProblem {
  const certificate = certificateProblem(error);
  if (certificate !== undefined) return { ...certificate, proxy };
  return { kind: "proxyUnreachable", proxy, code: codeIn(error) };
}
