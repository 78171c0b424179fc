import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const CHUNK = { id: "c", object: "chat.completion.chunk", created: 0, model: "test" };

/** An endpoint that streams a word to each request and then says no more until the request is closed. */
export class SlowEndpoint implements AsyncDisposable {
  readonly #server: Server;
  readonly #open = new Set<ServerResponse>();
  #changed: (() => void)[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      request.resume();
      this.#open.add(response);
      response.on("close", () => {
        this.#open.delete(response);
        this.#notify();
      });
      response.writeHead(200, { "content-type": "text/event-stream" });
      const delta = { role: "assistant", content: "thinking " };
      response.write(`data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`);
      this.#notify();
    });
  }

  static async start(): Promise<SlowEndpoint> {
    const endpoint = new SlowEndpoint();
    endpoint.#server.listen(0, "127.0.0.1");
    await once(endpoint.#server, "listening");
    return endpoint;
  }

  get baseUrl(): string {
    const { port } = endpoint(this.#server);
    return `http://127.0.0.1:${port}/v1`;
  }

  /** Resolves when so many requests are open. */
  async requests(count: number): Promise<void> {
    while (this.#open.size !== count) await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  /** Goes on with every open answer. */
  say(text: string): void {
    const choice = { index: 0, delta: { content: text }, finish_reason: null };
    for (const response of this.#open) response.write(`data: ${JSON.stringify({ ...CHUNK, choices: [choice] })}\n\n`);
  }

  /** Goes on with every open answer, to its end. */
  finish(text: string): void {
    this.say(text);
    for (const response of this.#open) {
      const last = { index: 0, delta: {}, finish_reason: "stop" };
      response.end(`data: ${JSON.stringify({ ...CHUNK, choices: [last] })}\n\ndata: [DONE]\n\n`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #notify(): void {
    for (const changed of this.#changed.splice(0)) changed();
  }
}

function endpoint(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The endpoint has no port.");
  return address;
}
