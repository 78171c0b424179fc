import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { type Program, ProgramProcess } from "../programs/index.ts";
import { MCP_LIMITS } from "./limits.ts";

const NEWLINE = 0x0a;

/**
 * Speaks with a program over its standard input and output. Unlike the SDK's own transport it ends everything that the
 * program has started, also when the host is killed, and it reads long messages in time proportional to their length.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #program: Program;
  readonly #onErrorLine: (line: string) => void;
  #process: ProgramProcess | undefined;
  #parts: Buffer[] = [];
  #length = 0;
  #failure: string | undefined;
  #isClosed = false;

  constructor(program: Program, onErrorLine: (line: string) => void) {
    this.#program = program;
    this.#onErrorLine = onErrorLine;
  }

  /** Why the connection ended, as the rest of a sentence about the server; undefined while it lasts. */
  get failure(): string | undefined {
    return this.#failure;
  }

  async start(): Promise<void> {
    const child = new ProgramProcess(this.#program, this.#onErrorLine);
    this.#process = child;
    child.output.on("data", (chunk: Buffer) => this.#read(chunk));
    void child.ended.then((how) => {
      const { lastError } = child;
      this.#failure ??= lastError === undefined ? how : `${how}: ${lastError}`;
      this.#closed();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#process;
    if (child === undefined) throw new Error("The server was not started.");
    const { input } = child;
    // A program can ask more than it reads, and every answer would wait in memory.
    if (input.writableLength > MCP_LIMITS.unread) this.#kill("it does not read what it is sent");
    const isSent = await new Promise<boolean>((resolve) => {
      if (input.writable) input.write(serializeMessage(message), (error) => resolve(!error));
      else resolve(false);
    });
    if (isSent) return;
    // It has ended, or will not be read any more: how it ends, and what it says of that, comes after its input has closed.
    await child.stop();
    throw new Error("The server has ended.");
  }

  async close(): Promise<void> {
    this.#failure ??= "was stopped";
    await this.#process?.stop();
    this.#closed();
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      if (this.#isClosed) return;
      const line = Buffer.concat(this.#parts).toString("utf8");
      this.#parts = [];
      this.#length = 0;
      start = end + 1;
      this.#message(line);
    }
    this.#add(chunk.subarray(start));
  }

  /** Collects a part of a line, and ends the connection when the line is too long. */
  #add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length <= MCP_LIMITS.message) {
      this.#parts.push(part);
      return;
    }
    this.#kill(`it sent a message of more than ${MCP_LIMITS.message / 1024 / 1024} MB`);
  }

  #kill(why: string): void {
    this.#failure ??= `was stopped, as ${why}`;
    this.#parts = [];
    this.#closed();
    this.#process?.killNow();
  }

  #message(line: string): void {
    if (line.trim() === "") return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.onerror?.(
        new Error("it wrote a line that is no message of the protocol; its log has to go to its error output"),
      );
      return;
    }
    this.onmessage?.(message);
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}
