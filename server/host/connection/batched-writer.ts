import { once } from "node:events";
import type { Writable } from "node:stream";
import { AbstractMessageWriter, type Message } from "vscode-languageserver/node";
import { encoded, isLogLine, MOST_UNREAD, type Outlet } from "./outlet.ts";

/** How much is written at a time, in characters, unless one message is longer. */
const MAX_BATCH = 16_000_000;

/** How long a line of the log waits for another message to be written with, in milliseconds. */
const LOG_DELAY = 50;

/**
 * Writes messages in LSP framing, all messages of one callback of the event loop with one system call. The writer of
 * vscode-jsonrpc makes two system calls per message, which would be most of the host's work while a team streams. Lines of
 * the log are written with the next message, as each write wakes the client.
 */
export class BatchedWriter extends AbstractMessageWriter implements Outlet {
  readonly #output: Writable;
  #waiting = "";
  #count = 0;
  #isDue = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(output: Writable) {
    super();
    this.#output = output;
    output.on("error", (error) => this.fireError(error, undefined, this.#count));
    output.on("close", () => this.fireClose());
  }

  get isFull(): boolean {
    return this.#waiting.length + this.#output.writableLength > MOST_UNREAD;
  }

  async drained(): Promise<void> {
    this.#flush();
    if (this.#output.writableNeedDrain) await once(this.#output, "drain");
  }

  /** Resolves at once: the order of the calls is the order on the wire. */
  write(message: Message): Promise<void> {
    const { json } = encoded(message);
    // The longest possible string is not much longer than one message.
    if (this.#waiting.length + json.length > MAX_BATCH) this.#flush();
    if (isLogLine(message)) this.#timer ??= setTimeout(() => this.#flush(), LOG_DELAY);
    else if (!this.#isDue) {
      this.#isDue = true;
      process.nextTick(() => this.#flush());
    }
    this.#waiting += `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
    this.#count++;
    return Promise.resolve();
  }

  end(): void {
    this.#flush();
  }

  #flush(): void {
    this.#isDue = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting === "") return;
    const text = this.#waiting;
    this.#waiting = "";
    this.#output.write(text);
  }
}
