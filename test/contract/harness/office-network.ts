import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { root } from "../../../scripts/root.ts";

/** The authority that issued the servers' certificate. No system knows it. */
export const AUTHORITY = join(root, "test", "fixtures", "certificates", "authority.pem");

/** For `models.example.com`, `proxy.example.com` and 127.0.0.1. */
const certificate = {
  cert: readFileSync(join(root, "test", "fixtures", "certificates", "server.pem")),
  key: readFileSync(join(root, "test", "fixtures", "certificates", "server.key")),
};

interface LocalServer extends AsyncDisposable {
  readonly port: number;
}

/** An endpoint that answers every request with a text, over TLS or without. */
export async function endpointSaying(text: string, secure: "tls" | "plain" = "tls"): Promise<LocalServer> {
  const answer: Parameters<typeof createHttpServer>[1] = (request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = { choices: [{ index: 0, delta: { content: text }, finish_reason: "stop" }] };
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  };
  return listening(secure === "tls" ? createHttpsServer(certificate, answer) : createHttpServer(answer));
}

/** What a proxy was asked for. */
interface Asked {
  /** Host and port. */
  readonly target: string;
  readonly authorization: string | undefined;
}

export interface Proxy extends LocalServer {
  readonly asked: readonly Asked[];
}

interface ProxyOptions {
  /** The server that every tunnel leads to, whatever host was asked for. */
  readonly to?: LocalServer;
  /** Answers with this status, and opens no tunnel. */
  readonly refuses?: number;
  readonly secure?: "tls" | "plain";
}

/** A proxy as companies have them: it opens tunnels (RFC 9110, "CONNECT"), and serves nothing else. */
export async function proxy({ to, refuses, secure = "plain" }: ProxyOptions): Promise<Proxy> {
  const asked: Asked[] = [];
  const server = secure === "tls" ? createHttpsServer(certificate) : createHttpServer();
  server.on("connect", ({ url = "", headers }: IncomingMessage, client: Socket) => {
    asked.push({ target: url, authorization: headers["proxy-authorization"] });
    client.on("error", () => {});
    if (to === undefined || refuses !== undefined) {
      client.end(`HTTP/1.1 ${refuses ?? 502} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const target = connect(to.port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(client).pipe(target);
    });
    target.on("error", () => client.destroy());
    client.on("close", () => target.destroy());
  });
  return Object.assign(await listening(server), { asked });
}

/** Listens on a free port of this machine until it is disposed, with every connection. */
async function listening(server: Server): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
