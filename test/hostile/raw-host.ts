import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../../scripts/root.ts";

/** A message as the host sends it, unchecked. */
export interface RawMessage {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly code?: string } };
}

/** A message in LSP framing. */
export function framed(body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(`Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
}

/** The host, run from its sources, that any bytes can be sent to. */
export class RawHost implements AsyncDisposable {
  readonly messages: RawMessage[] = [];
  errors = "";
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  #received = Buffer.alloc(0);
  #arrived = Promise.withResolvers<string>();
  #nextId = 1_000_000;

  constructor() {
    this.#process = spawn(process.execPath, [join(root, "server", "main.ts"), "--stdio"], { stdio: "pipe" });
    this.#ended = once(this.#process, "close");
    this.#process.stdin?.on("error", () => {});
    this.#process.stdout?.on("data", (chunk: Buffer) => this.#receive(chunk));
    this.#process.stderr?.on("data", (chunk: Buffer) => {
      this.errors += chunk.toString();
    });
  }

  send(message: unknown): void {
    this.write(framed(JSON.stringify(message)));
  }

  write(bytes: string | Buffer): void {
    this.#process.stdin?.write(bytes);
  }

  /** Sends a request and returns its answer. Fails if the host ends before. */
  async request(method: string, params?: unknown): Promise<RawMessage> {
    const id = this.#nextId++;
    this.send({ jsonrpc: "2.0", id, method, params });
    return this.answer(id);
  }

  /** The answer with an id. */
  answer(id: number | string | null): Promise<RawMessage> {
    return this.message((message) => message.id === id && message.method === undefined);
  }

  /** The first message that `matches`. Fails if the host ends before. */
  async message(matches: (message: RawMessage) => boolean): Promise<RawMessage> {
    for (;;) {
      const found = this.messages.find(matches);
      if (found !== undefined) return found;
      const first = await Promise.race([this.#arrived.promise, this.#ended.then(() => "end")]);
      if (first === "end" && !this.messages.some(matches)) {
        throw new Error(`The host ended: ${this.errors}`);
      }
    }
  }

  /** Ends the input and returns the exit code. */
  async end(): Promise<number | null> {
    this.#process.stdin?.end();
    await this.#ended;
    return this.#process.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended;
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const end = this.#received.indexOf("\r\n\r\n");
      const length = Number(/\d+/.exec(this.#received.toString("latin1", 0, end))?.[0]);
      if (end === -1 || this.#received.length < end + 4 + length) break;
      this.messages.push(JSON.parse(this.#received.toString("utf8", end + 4, end + 4 + length)) as RawMessage);
      this.#received = this.#received.subarray(end + 4 + length);
    }
    this.#arrived.resolve("message");
    this.#arrived = Promise.withResolvers();
  }
}
