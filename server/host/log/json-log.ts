import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { HostLog } from "./host-log.ts";

/** From the fewest lines to the most. */
const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The path that stands for the standard output. */
const STDOUT = "-";

/** How much may wait to be written, in bytes: what is not read costs lines of the log, and nothing else. */
const MOST_WAITING = 4_000_000;

/** How long the last lines may take that go to another process, in milliseconds. */
const MAX_LAST_MS = 1_000;

/** What more is known of a line. */
type Fields = Readonly<Record<string, string | number | undefined>>;

/**
 * A log of lines of JSON at the end of a file, which only this user can read: `time` (ISO 8601, UTC), `level`, `message`,
 * and what else is known. `open` makes the file again after it was moved away, as the tools do that rotate logs. With the
 * path `-` they are written to the standard output.
 */
export class JsonLog implements HostLog {
  readonly #path: string;
  readonly #most: number;
  readonly #fields: () => Fields;
  #stream: Writable | undefined;

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
    if (this.#path === STDOUT) {
      this.#stream = process.stdout;
      return;
    }
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
    if (stream === process.stdout) {
      const written = new Promise<void>((resolve) => stream.write("", () => resolve()));
      await Promise.race([written, pause(MAX_LAST_MS)]);
      return;
    }
    const closed = once(stream, "close").catch(() => {});
    stream.end();
    await closed;
  }

  #write(level: LogLevel, message: string): void {
    if (this.#stream === undefined || LOG_LEVELS.indexOf(level) > this.#most) return;
    if (this.#stream.writableLength > MOST_WAITING) return;
    const line = { time: new Date().toISOString(), level, message, ...this.#fields() };
    this.#stream.write(`${JSON.stringify(line)}\n`);
  }
}
