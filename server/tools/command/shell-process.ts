import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { Socket } from "node:net";
import type { Readable } from "node:stream";

const onWindows = process.platform === "win32";
const QUIET = { stdio: "ignore", windowsHide: true } as const;

/** From the plea to the kill, in milliseconds. It is under the 2 s after which an interrupted tool counts as abandoned. */
const KILL_AFTER_MS = 1000;

/**
 * What starts a command on POSIX. Output and errors share one pipe, so that they stay in order. A watchdog in the command's process group
 * waits on descriptor 3, whose other end the host holds: when the host goes, by whatever death, the system closes that end
 * and the watchdog kills the group. The watchdog also keeps the group's id from being used again before the host's own kill.
 */
const POSIX_START = `
( ( trap "" TERM INT HUP; read -r _ <&3; kill -KILL 0 ) >/dev/null 2>&1 & )
exec 3<&-
exec /bin/sh -c "$1" 2>&1
`;

/** Kills of commands that still run, for the host's own exit. */
const killsAtExit = new Set<() => void>();
const killAll = () => {
  for (const kill of killsAtExit) kill();
};

function atExit(kill: () => void): () => void {
  if (killsAtExit.size === 0) process.on("exit", killAll);
  killsAtExit.add(kill);
  return () => {
    killsAtExit.delete(kill);
    if (killsAtExit.size === 0) process.off("exit", killAll);
  };
}

/** How a command's shell ended: with a code, or by a signal. */
export interface ShellExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface ShellOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Record<string, string | undefined>;
}

/** A command run by the user's shell, with all that it starts. */
export class ShellProcess {
  /** What it prints. On Windows errors come by a pipe of their own, in the order in which they arrive. */
  readonly outputs: readonly Readable[];
  /** Rejects when the shell can not be started. */
  readonly exit: Promise<ShellExit>;
  readonly #child: ChildProcess;
  readonly #forget: () => void;
  #stopping = false;
  #killed = false;

  constructor(command: string, options: ShellOptions) {
    this.#child = onWindows ? startOnWindows(command, options) : startOnPosix(command, options);
    this.#forget = atExit(() => this.killNow());
    this.outputs = [this.#child.stdout, this.#child.stderr].filter((stream) => stream !== null);
    for (const stream of this.#child.stdio) stream?.on("error", () => undefined);
    this.exit = new Promise((resolve, reject) => {
      this.#child.once("exit", (code, signal) => resolve({ code, signal }));
      this.#child.once("error", (error) => {
        this.#forget();
        reject(error);
      });
    });
  }

  /** Asks the command and all that it started to end, and kills them a moment later. Does not wait. */
  stop(): void {
    if (this.#stopping || this.#killed || this.#child.pid === undefined) return;
    this.#stopping = true;
    if (onWindows) {
      // There is no group to ask; once the shell has ended, its children can not be found by it any more.
      if (this.#child.exitCode === null)
        spawn("taskkill", taskkill(this.#child.pid), QUIET).on("error", () => undefined);
      this.#forget();
      return;
    }
    signalGroup(this.#child.pid, "SIGTERM");
    // Unreferenced: a host that ends sooner kills at its exit.
    setTimeout(() => this.killNow(), KILL_AFTER_MS).unref();
  }

  /** Kills the command and all that it started at once, and closes its pipes. */
  killNow(): void {
    const { pid } = this.#child;
    // Once only: the system may give the id of a group that is gone to another.
    if (this.#killed || pid === undefined) return;
    this.#killed = true;
    this.#forget();
    if (!onWindows) signalGroup(pid, "SIGKILL");
    else if (this.#child.exitCode === null) spawnSync("taskkill", taskkill(pid), QUIET);
    for (const stream of this.#child.stdio) stream?.destroy();
  }
}

function startOnPosix(command: string, options: ShellOptions): ChildProcess {
  const child = spawn("/bin/sh", ["-c", POSIX_START, "sh", command], {
    ...options,
    detached: true,
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  const lifeline = child.stdio[3];
  if (lifeline instanceof Socket) lifeline.unref();
  return child;
}

function startOnWindows(command: string, options: ShellOptions): ChildProcess {
  return spawn(process.env["ComSpec"] ?? "cmd.exe", ["/d", "/s", "/c", `"${command}"`], {
    ...options,
    windowsVerbatimArguments: true,
    windowsHide: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}

const taskkill = (pid: number): string[] => ["/pid", String(pid), "/T", "/F"];
