import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import type { HostLog } from "./host-log.ts";

/** From the fewest lines to the most. */
const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What more is known of a line. */
type Fields = Readonly<Record<string, string | number | undefined>>;

/**
 * A log of lines of JSON at the end of a file, which only this user can read: `time` (ISO 8601, UTC), `level`, `message`,
 * and what else is known. `open` makes the file again after it was moved away, as the tools do that rotate logs.
 */
export class JsonLog implements HostLog {
  readonly #path: string;
  readonly #most: number;
  readonly #fields: () => Fields;
  #stream: WriteStream | undefined;

  constructor(path: string, level: LogLevel, fields: () => Fields) {
    this.#path = path;
    this.#most = LOG_LEVELS.indexOf(level);
    this.#fields = fields;
  }

  error(message: string): void {
    this.#write("error", message);
  }

  warn(message: string): void {
    this.#write("warn", message);
  }

  info(message: string): void {
    this.#write("info", message);
  }

  debug(message: string): void {
    this.#write("debug", message);
  }

  /** Opens the file. @throws what the system throws. */
  async open(): Promise<void> {
    const stream = createWriteStream(this.#path, { flags: "a", mode: 0o600 });
    await once(stream, "open");
    // A full disk costs lines of the log, and nothing else.
    stream.on("error", () => {
      if (this.#stream === stream) this.#stream = undefined;
    });
    const old = this.#stream;
    this.#stream = stream;
    old?.end();
  }

  /** Resolves when all is written. */
  async close(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream === undefined) return;
    const closed = once(stream, "close").catch(() => {});
    stream.end();
    await closed;
  }

  #write(level: LogLevel, message: string): void {
    if (this.#stream === undefined || LOG_LEVELS.indexOf(level) > this.#most) return;
    const line = { time: new Date().toISOString(), level, message, ...this.#fields() };
    this.#stream.write(`${JSON.stringify(line)}\n`);
  }
}
