import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RandomInt } from "../../../server/engine/testing/random.ts";

type Fault = (answer: ServerResponse, upstream: IncomingMessage) => void;

const refuse =
  (status: number, body: string): Fault =>
  (answer, upstream) => {
    upstream.resume();
    answer.writeHead(status, { "content-type": "application/json", "retry-after": "0" }).end(body);
  };

/** What may become of a request in place of its answer. */
const FAULTS: readonly Fault[] = [
  refuse(500, '{"error":{"message":"The server had an error."}}'),
  refuse(503, "<html>upstream connect error</html>"),
  refuse(429, '{"error":{"message":"Rate limit reached."}}'),
  (answer, upstream) => {
    upstream.resume();
    answer.destroy();
  },
  cutAfterFirstPiece((answer) => answer.destroy()),
  cutAfterFirstPiece((answer) => answer.end()),
  cutAfterFirstPiece((answer) => answer.end('data: {"choices":[{"delta":{"content":\n\n')),
];

/** In front of an endpoint: some of its answers, chosen by `random`, are replaced by a fault. */
export class FaultyProxy implements AsyncDisposable {
  /** How many requests of a hundred meet a fault. */
  rate = 0;
  faults = 0;
  readonly #server: Server;

  private constructor(endpoint: string, random: RandomInt) {
    this.#server = createServer((asked, answer) => {
      const fault = random(100) < this.rate ? FAULTS[random(FAULTS.length)] : undefined;
      if (fault !== undefined) this.faults++;
      const { method, headers, url = "" } = asked;
      const forwarded = request(new URL(url, endpoint), { method, headers }, (upstream) => {
        upstream.on("error", () => answer.destroy());
        if (fault !== undefined) return fault(answer, upstream);
        answer.writeHead(upstream.statusCode ?? 500, upstream.headers);
        upstream.pipe(answer);
      });
      forwarded.on("error", () => answer.destroy());
      answer.on("close", () => forwarded.destroy());
      asked.pipe(forwarded);
    });
  }

  static async start(endpoint: string, random: RandomInt): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(endpoint, random);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Passes on the first piece of the answer's body, and then `cut`s it. */
function cutAfterFirstPiece(cut: (answer: ServerResponse) => void): Fault {
  return (answer, upstream) => {
    answer.writeHead(upstream.statusCode ?? 500, { "content-type": upstream.headers["content-type"] ?? "text/plain" });
    upstream.once("data", (piece: Buffer) => {
      upstream.pause();
      answer.write(piece, () => cut(answer));
    });
  };
}
