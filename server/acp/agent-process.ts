import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";

const onWindows = process.platform === "win32";

/** Between SIGTERM and SIGKILL, in milliseconds. */
const KILL_AFTER_MS = 1000;

/** How much of the end of what a program writes to its error output is kept, in characters. */
const KEPT_ERRORS = 4000;

/**
 * Starts a program on POSIX in a process group of its own. A watchdog in the group waits on descriptor 3, whose other
 * end the host holds: when the host exits or is killed, the system closes that end and the watchdog kills the group.
 */
const POSIX_START = `
( ( trap "" TERM INT HUP; read -r _ <&3; kill -KILL 0 ) </dev/null >/dev/null 2>&1 3<&3 & )
exec 3<&-
exec "$@"
`;

/** A program as it is started: without a shell, so its arguments are taken as they are. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A program that runs, with every process that it starts. */
export class AgentProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the program has ended, with how, as the rest of a sentence. Never rejects. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  #errors = "";
  #isStopping = false;
  #isKilled = false;

  constructor({ command, args, cwd, env }: Program) {
    const words = onWindows ? [command, ...args] : ["/bin/sh", "-c", POSIX_START, "sh", command, ...args];
    const [file = command, ...rest] = words;
    const child = spawn(file, rest, {
      cwd,
      env: { ...env },
      detached: !onWindows,
      windowsHide: true,
      stdio: ["pipe", "pipe", "pipe", onWindows ? "ignore" : "pipe"],
    });
    const [input, output, errors, lifeline] = child.stdio;
    if (input === null || output === null || errors === null) throw new Error("The program has no pipes.");
    if (lifeline instanceof Socket) lifeline.unref();
    this.#child = child;
    this.input = input;
    this.output = output;
    for (const stream of child.stdio) stream?.on("error", () => undefined);
    errors.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-KEPT_ERRORS);
    });
    this.ended = new Promise((resolve) => {
      // What it wrote last is read by then.
      child.once("close", (code, signal) =>
        resolve(signal === null ? `ended with code ${code}` : `ended by ${signal}`),
      );
      child.once("error", (error) => resolve(`could not be started (${error.message})`));
    });
    if (onWindows) process.once("exit", this.#killOnExit);
    void this.ended.then(() => {
      this.killNow();
      process.off("exit", this.#killOnExit);
    });
  }

  /** The last line that it wrote to its error output, without control characters; undefined for none. */
  get lastError(): string | undefined {
    const lines = this.#errors.split("\n").map((line) => line.replace(/\p{C}\[[0-9;]*m|\p{C}/gu, "").trim());
    return lines.findLast((line) => line !== "")?.slice(0, 300);
  }

  /** Signals the program, and all that it has started, to exit, and kills them a moment later. Does not wait. */
  stop(): void {
    const { pid } = this.#child;
    if (this.#isStopping || this.#isKilled || pid === undefined) return;
    this.#isStopping = true;
    this.input.end();
    if (!onWindows) signalGroup(pid, "SIGTERM");
    // Unreferenced: the group of a host that exits sooner is killed then.
    setTimeout(() => this.killNow(), onWindows ? 0 : KILL_AFTER_MS).unref();
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

  readonly #killOnExit = (): void => this.killNow();
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group no longer exists.
  }
}
