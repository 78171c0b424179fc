import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the endpoint received. */
interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Resolves when the connection closes before the answer is complete. */
  readonly closed: Promise<void>;
}

export interface RawEndpoint {
  readonly url: string;
  readonly host: string;
  readonly requests: readonly Received[];
  /** Resolves with the next request. */
  next(): Promise<Received>;
  /** Closes every connection. */
  cut(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How the endpoint answers its `count`th request, from 1. */
type Answer = (response: ServerResponse, count: number) => void;

/** A real HTTP server for what aimock cannot do: malformed answers, silence, and watching a connection close. */
export async function rawEndpoint(answer: Answer): Promise<RawEndpoint> {
  const requests: Received[] = [];
  let arrived = Promise.withResolvers<Received>();
  const server = createServer(async (request, response) => {
    const received = await receive(request, response);
    requests.push(received);
    arrived.resolve(received);
    arrived = Promise.withResolvers();
    answer(response, requests.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${portOf(server.address())}`;
  return {
    url: `http://${host}/v1`,
    host,
    requests,
    next: () => arrived.promise,
    cut: () => server.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Sends an event stream of one event that never ends, as fast as it is read. */
export function sendWithoutEnd(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const more = (): void => {
    if (response.write("x".repeat(10_000))) setImmediate(more);
    else response.once("drain", more);
  };
  more();
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<Received> {
  const closed = Promise.withResolvers<void>();
  response.on("close", () => {
    if (!response.writableEnded) closed.resolve();
  });
  let body = "";
  for await (const piece of request.setEncoding("utf8")) body += piece;
  return { url: request.url ?? "", headers: request.headers, body, closed: closed.promise };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  return address.port;
}

/** Starts a stream with these events, each a JSON value or a string that is sent unchanged, and leaves it open. */
export function startStream(response: ServerResponse, ...events: readonly unknown[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    response.write(`data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  }
}

/** Sends a complete stream of events. */
export function sendStream(response: ServerResponse, ...events: readonly unknown[]): void {
  startStream(response, ...events, "[DONE]");
  response.end();
}

/** Sends a JSON answer, as endpoints do for errors. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** A chunk with that delta. */
export const delta = (fields: Readonly<Record<string, unknown>>) => ({ choices: [{ index: 0, delta: fields }] });

export const finished = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
