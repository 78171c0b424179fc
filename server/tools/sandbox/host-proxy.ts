import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { parseHostPattern } from "../../engine/approvals/host-pattern.ts";
import { upstreamProxy } from "./upstream-proxy.ts";

/** Headers that concern one connection only. */
const HOP_BY_HOP = ["proxy-connection", "proxy-authorization", "connection", "keep-alive", "te", "trailer", "upgrade"];

/** An address outside the sandbox. */
interface Target {
  readonly host: string;
  readonly port: number;
}

/**
 * An HTTP proxy, for one sandboxed command, that connects to this machine's loopback and to the hosts that the user allows,
 * and refuses all others.
 */
export class HostProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly #refused = new Set<string>();
  readonly #isAllowed: (host: string) => boolean;

  /** @param allowed host names, which may have stars and a port. One that cannot be read allows nothing. */
  constructor(allowed: readonly string[]) {
    const patterns = allowed.flatMap((text) => {
      try {
        return [parseHostPattern(text.toLowerCase())];
      } catch {
        return [];
      }
    });
    this.#isAllowed = (host) => patterns.some((pattern) => pattern.matches(host));
    this.#server = createServer((incoming, answer) => this.#forward(incoming, answer));
    this.#server.on("connect", (incoming: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#tunnel(incoming, socket, head),
    );
    this.#server.on("connection", (socket) => this.#keep(socket));
    this.#server.on("clientError", (_error, socket) => socket.destroy());
  }

  /** The hosts that were refused, each as `host:port`. */
  get refused(): readonly string[] {
    return [...this.#refused];
  }

  /** @param at the path of a socket, or 0 for a free port of 127.0.0.1. @returns the port, if it has one. */
  async listen(at: string | 0): Promise<number | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once("error", reject);
    if (at === 0) this.#server.listen(0, "127.0.0.1", resolve);
    else this.#server.listen(at, resolve);
    await promise;
    this.#server.unref();
    const address = this.#server.address();
    return typeof address === "object" ? address?.port : undefined;
  }

  /** Closes every connection. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** A request for `http://…`. */
  #forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const url = URL.parse(incoming.url ?? "");
    if (url?.protocol !== "http:") return void answer.writeHead(400).end("The proxy takes absolute http: URLs only.\n");
    const target = { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 80) };
    if (!this.#permits(target)) return void answer.writeHead(403).end(refusal(target));
    const upstream = upstreamProxy("http", target.host);
    const headers = { ...incoming.headers, ...upstream?.headers };
    for (const name of HOP_BY_HOP) if (name !== "proxy-authorization" || upstream === undefined) delete headers[name];
    const outgoing = request({
      ...(upstream?.target ?? target),
      method: incoming.method,
      path: upstream === undefined ? url.pathname + url.search : url.href,
      headers,
    });
    outgoing.on("response", (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on("error", () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
    outgoing.on("socket", (socket) => this.#keep(socket));
    incoming.pipe(outgoing);
  }

  /** A tunnel to `host:port`, for HTTPS and everything else. */
  #tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const target = parseTarget(incoming.url ?? "");
    if (target === undefined) return void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    if (!this.#permits(target)) return void socket.end(`HTTP/1.1 403 Forbidden\r\n\r\n${refusal(target)}`);
    const upstream = upstreamProxy("https", target.host);
    const outside: Socket = connect({ ...(upstream?.target ?? target), autoSelectFamily: true, allowHalfOpen: true });
    this.#keep(outside);
    outside.on("error", () => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
    socket.on("error", () => outside.destroy());
    outside.once("connect", () => {
      // The other proxy answers the same request in the same way.
      if (upstream === undefined) socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      else outside.write(connectRequest(target, upstream.headers));
      outside.write(head);
      outside.pipe(socket).pipe(outside);
    });
  }

  #permits({ host, port }: Target): boolean {
    const name = host.toLowerCase().replace(/\.$/, "");
    const shown = `${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
    if (isLoopback(name) || this.#isAllowed(shown)) return true;
    this.#refused.add(shown);
    return false;
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** Only forms that every program reads the same way. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function parseTarget(text: string): Target | undefined {
  const { host, six, port } =
    /^(?:\[(?<six>[0-9a-f:]+)\]|(?<host>[^:/@\s[\]]+)):(?<port>\d{1,5})$/i.exec(text)?.groups ?? {};
  const name = six ?? host;
  return name === undefined || Number(port) > 65_535 ? undefined : { host: name, port: Number(port) };
}

function connectRequest({ host, port }: Target, headers: Readonly<Record<string, string>>): string {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  return [...lines, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
}

const refusal = ({ host }: Target): string =>
  `The sandbox refuses connections to ${host}; the user can allow it in the setting gavel.sandbox.allowedHosts.\n`;
