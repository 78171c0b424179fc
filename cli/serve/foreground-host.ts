import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { type HostToServe, Started, startOf } from "../../socket/host-to-serve.ts";
import { HostError } from "../host/host-errors.ts";
import { shownJson, shownLine, shownText } from "../text/shown-text.ts";

/** How much is shown of what a host wrote before it ended. */
const MAX_LAST_WORDS = 2_000;

/** What shells add to the number of a signal that has ended a process. */
const BY_SIGNAL = 128;

/** How the process of a host has ended. */
interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * A host that ends with this process, however that ends: its standard input is the line between them. Signals of this
 * process go to it, the lines of its log to the standard output, and its errors to the standard error.
 */
export class ForegroundHost {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #ended: Promise<End>;
  readonly #lines: AsyncIterator<string>;
  /** Until it has started, what it has written to its standard error. */
  #words: string | undefined = "";
  #isTold = false;

  private constructor(host: HostToServe) {
    const { storagePath } = host.options;
    mkdirSync(storagePath, { recursive: true, mode: 0o700 });
    const { args, input, env } = startOf({ ...host, options: { ...host.options, foreground: true } });
    const child = spawn(process.execPath, args, {
      stdio: ["pipe", "pipe", "pipe"],
      env,
      cwd: storagePath,
      // Ctrl+C in a terminal goes to this process alone, which passes it on.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#child = child;
    // "close" comes when all that it wrote has been read, also after an "error".
    this.#ended = new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
    child.on("error", (error) => this.#wrote(error.message));
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.#wrote(text));
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.on("error", () => undefined).write(input);
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => this.#pass(signal));
    // Where there is a file for the log, it is opened again; else a terminal was closed.
    const path = host.options.log?.path ?? "-";
    process.on("SIGHUP", () => this.#pass(path === "-" ? "SIGTERM" : "SIGHUP"));
  }

  /** Starts it, and waits until it says whether it listens; `end` resolves then. @throws HostError when it ends before. */
  static async start(host: HostToServe): Promise<{ readonly host: ForegroundHost; readonly started: Started }> {
    const foreground = new ForegroundHost(host);
    const first = await foreground.#lines.next();
    if (first.done === true) {
      await foreground.#ended;
      throw new HostError(`The agent host did not start: ${foreground.#words?.trim() ?? ""}`);
    }
    const early = foreground.#words ?? "";
    foreground.#words = undefined;
    foreground.#wrote(early);
    void foreground.#printLog();
    return { host: foreground, started: Started.parse(JSON.parse(first.value)) };
  }

  /** Whether it was told to end. */
  get isTold(): boolean {
    return this.#isTold;
  }

  /** Ends it: what runs is interrupted and stored. */
  async end(): Promise<void> {
    this.#isTold = true;
    this.#child.stdin.end();
    await this.#ended;
  }

  /** Its exit code, or that which shells give for a signal. What ends it without being asked for is said. */
  async exitCode(): Promise<number> {
    const { code, signal } = await this.#ended;
    const exitCode = code ?? (signal === null ? 1 : BY_SIGNAL + constants.signals[signal]);
    if (exitCode === 0 || this.#isTold) return exitCode;
    const how = signal === null ? `with exit code ${exitCode}` : `by ${signal}`;
    process.stderr.write(`gavel: The agent host was ended ${how}; what it had stored is kept: serve again.\n`);
    return exitCode;
  }

  #pass(signal: NodeJS.Signals): void {
    if (signal !== "SIGHUP") this.#isTold = true;
    // Windows knows no signal that a process could handle.
    if (process.platform === "win32") this.#child.stdin.end();
    else this.#child.kill(signal);
  }

  #wrote(text: string): void {
    if (this.#words === undefined) process.stderr.write(shownText(text));
    else this.#words = (this.#words + text).slice(-MAX_LAST_WORDS);
  }

  /** Its further lines, as fast as they are read here. They are read on when no one reads this output any more. */
  async #printLog(): Promise<void> {
    let isRead = true;
    process.stdout.once("error", () => {
      isRead = false;
    });
    for (;;) {
      const { done, value } = await this.#lines.next();
      if (done === true) return;
      if (!isRead || process.stdout.write(`${shownLogLine(value)}\n`)) continue;
      await once(process.stdout, "drain").catch(() => undefined);
    }
  }
}

/** A line of the log, which is JSON unless something else writes to the host's output. */
function shownLogLine(line: string): string {
  try {
    return shownJson(JSON.parse(line));
  } catch {
    return shownLine(line);
  }
}
