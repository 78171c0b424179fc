import type { ChildProcess } from "node:child_process";
import { spawnSync } from "node:child_process";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import spawn from "cross-spawn";

const onWindows = process.platform === "win32";

/** Between closing its input, SIGTERM and SIGKILL, in milliseconds. */
const STEP_MS = 1_000;
/** How much of the end of its error output is kept, in characters. */
const KEPT_ERRORS = 4_000;

/**
 * Starts a program on POSIX in a process group of its own. A watchdog in the group waits on descriptor 3, whose other end
 * the host holds: when the host exits or is killed, the system closes that end, and the watchdog kills the group.
 */
const POSIX_START = `
( ( trap "" TERM INT HUP; read -r _ <&3; kill -KILL 0 ) </dev/null >/dev/null 2>&1 & )
exec 3<&-
exec "$@"
`;

/** A server's program. It is started without a shell, so its arguments are taken as they are. */
export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A program that runs, with every process that it starts. */
export class ServerProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the program has ended, with how, as the rest of a sentence. Never rejects. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  #errors = "";
  #isStopping = false;
  #isKilled = false;

  /** `onErrorLine` gets each line that the program writes to its error output. */
  constructor({ command, args, cwd, env }: ServerProgram, onErrorLine: (line: string) => void) {
    const [file = command, ...rest] = onWindows
      ? [command, ...args]
      : ["/bin/sh", "-c", POSIX_START, "sh", command, ...args];
    const child = spawn(file, rest, {
      cwd,
      env: { ...env },
      detached: !onWindows,
      windowsHide: true,
      stdio: ["pipe", "pipe", "pipe", onWindows ? "ignore" : "pipe"],
    });
    const [input, output, errors, lifeline] = child.stdio;
    if (!input || !output || !errors) throw new Error("The program has no pipes.");
    if (lifeline instanceof Socket) lifeline.unref();
    this.#child = child;
    this.input = input;
    this.output = output;
    for (const stream of child.stdio) stream?.on("error", () => undefined);
    errors.setEncoding("utf8").on("data", (text: string) => this.#addErrors(text, onErrorLine));
    // The watchdog holds the other end: without this, the pipes would never all be closed.
    child.once("exit", () => lifeline?.destroy());
    this.ended = new Promise((resolve) => {
      child.once("close", (code, signal) =>
        resolve(signal === null ? `ended with code ${code}` : `ended by ${signal}`),
      );
      child.once("error", (error) => resolve(`could not be started (${error.message})`));
    });
    process.once("exit", this.#killOnExit);
    void this.ended.then(() => {
      this.killNow();
      process.off("exit", this.#killOnExit);
    });
  }

  /** The last line of its error output that is not empty; undefined for none. */
  get lastError(): string | undefined {
    return this.#errors
      .split("\n")
      .map(plainLine)
      .findLast((line) => line !== "")
      ?.slice(0, 300);
  }

  /** Closes its input, and ends it and all that it has started if they do not exit by themselves. */
  async stop(): Promise<void> {
    const { pid } = this.#child;
    if (!this.#isStopping && !this.#isKilled && pid !== undefined) {
      this.#isStopping = true;
      this.input.end();
      const timers = [
        setTimeout(() => !onWindows && !this.#isKilled && signalGroup(pid, "SIGTERM"), STEP_MS),
        setTimeout(() => this.killNow(), 2 * STEP_MS),
      ];
      // Unreferenced: the group of a host that exits sooner is killed then.
      for (const timer of timers) timer.unref();
      await this.ended;
      for (const timer of timers) clearTimeout(timer);
    }
    await this.ended;
  }

  /** Kills the program and all that it has started. */
  killNow(): void {
    const { pid } = this.#child;
    // Only once: the system may reuse the id of a group that no longer exists.
    if (this.#isKilled || pid === undefined) return;
    this.#isKilled = true;
    if (!onWindows) signalGroup(pid, "SIGKILL");
    else if (this.#child.exitCode === null)
      spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    for (const stream of this.#child.stdio) stream?.destroy();
  }

  #addErrors(text: string, onLine: (line: string) => void): void {
    const before = this.#errors.slice(this.#errors.lastIndexOf("\n") + 1);
    this.#errors = (this.#errors + text).slice(-KEPT_ERRORS);
    for (const line of `${before}${text}`.slice(-KEPT_ERRORS).split("\n").slice(0, -1).map(plainLine)) {
      if (line !== "") onLine(line);
    }
  }

  readonly #killOnExit = (): void => this.killNow();
}

/** Without colours and control characters, which could write over other lines. */
export const plainLine = (line: string): string => line.replace(/\p{C}\[[0-9;?]*[A-Za-z]|\p{C}/gu, "").trim();

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group no longer exists.
  }
}
