import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { namespaceEnd } from "../sandbox/namespace-end.ts";

const onWindows = process.platform === "win32";
const QUIET = { stdio: "ignore", windowsHide: true } as const;

/** Between SIGTERM and SIGKILL, in milliseconds; less than the 2 s after which an interrupted tool counts as abandoned. */
const KILL_AFTER_MS = 1000;

/**
 * Starts a command on POSIX. Output and errors share one pipe, so that they stay in order. A watchdog in the command's
 * process group waits on descriptor 3, whose other end the host holds: when the host exits or is killed, the system
 * closes that end and the watchdog kills the group. It also keeps the group's id from being reused before the host's
 * own kill.
 */
const POSIX_START = `
( ( trap "" TERM INT HUP; read -r _ <&3; kill -KILL 0 ) >/dev/null 2>&1 & )
exec 3<&-
exec "$@" 2>&1
`;

/** Kills the commands that are still running when the host exits. */
const killsOnExit = new Set<() => void>();
const killAll = () => {
  for (const kill of killsOnExit) kill();
};

function atExit(kill: () => void): () => void {
  if (killsOnExit.size === 0) process.on("exit", killAll);
  killsOnExit.add(kill);
  return () => {
    killsOnExit.delete(kill);
    if (killsOnExit.size === 0) process.off("exit", killAll);
  };
}

/** How a command's shell exited: with a code, or by a signal. */
export interface ShellExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that runs a command in the shell's place. */
export interface Program {
  /** The program with its arguments. */
  readonly program: readonly string[];
  /** A file that it reads as descriptor 5. With one, it reports its namespace on descriptor 4 (see `namespaceEnd`). */
  readonly options: string | undefined;
}

interface ShellOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Record<string, string | undefined>;
}

/** A command that the system shell runs, with every process that it starts. */
export class ShellProcess {
  /** Its output. On Windows errors have a separate pipe, so their order is that of arrival. */
  readonly outputs: readonly Readable[];
  /** Rejects when the shell cannot be started. */
  readonly exit: Promise<ShellExit>;
  /** Resolves when it has exited, or could not be started, and for a sandboxed one when all of its processes are dead. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #forget: () => void;
  #stopping = false;
  #killed = false;

  /** @param command a command line for the shell, or (not on Windows) the program that runs one. */
  constructor(command: string | Program, options: ShellOptions) {
    this.#child = typeof command === "string" ? startShell(command, options) : startOnPosix(command, options);
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
    const info = this.#child.stdio[4];
    const whenDead = info instanceof Readable ? namespaceEnd(info) : undefined;
    this.gone = this.exit.then(
      () => whenDead?.(),
      () => undefined,
    );
  }

  /** Signals the command and every process that it started to exit, and kills them a moment later. Does not wait. */
  stop(): void {
    if (this.#stopping || this.#killed || this.#child.pid === undefined) return;
    this.#stopping = true;
    if (onWindows) {
      // Windows has no process groups, and once the shell has exited its children can no longer be found.
      if (this.#child.exitCode === null)
        spawn("taskkill", taskkill(this.#child.pid), QUIET).on("error", () => undefined);
      this.#forget();
      return;
    }
    signalGroup(this.#child.pid, "SIGTERM");
    // Unreferenced: a host that exits sooner kills the group on exit.
    setTimeout(() => this.killNow(), KILL_AFTER_MS).unref();
  }

  /** Kills the command and every process that it started immediately, and closes its pipes. */
  killNow(): void {
    const { pid } = this.#child;
    // Only once: the system may reuse the id of a group that no longer exists.
    if (this.#killed || pid === undefined) return;
    this.#killed = true;
    this.#forget();
    if (!onWindows) signalGroup(pid, "SIGKILL");
    else if (this.#child.exitCode === null) spawnSync("taskkill", taskkill(pid), QUIET);
    for (const stream of this.#child.stdio) stream?.destroy();
  }
}

function startShell(command: string, options: ShellOptions): ChildProcess {
  if (onWindows) return startOnWindows(command, options);
  return startOnPosix({ program: ["/bin/sh", "-c", command], options: undefined }, options);
}

function startOnPosix({ program, options: file }: Program, options: ShellOptions): ChildProcess {
  const descriptor = file === undefined ? undefined : openSync(file, "r");
  try {
    const child = spawn("/bin/sh", ["-c", POSIX_START, "sh", ...program], {
      ...options,
      detached: true,
      stdio: ["ignore", "pipe", "ignore", "pipe", descriptor === undefined ? "ignore" : "pipe", descriptor ?? "ignore"],
    });
    const lifeline = child.stdio[3];
    if (lifeline instanceof Socket) lifeline.unref();
    const info = child.stdio[4];
    if (info instanceof Socket) info.unref();
    return child;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
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
    // The group no longer exists.
  }
}

const taskkill = (pid: number): string[] => ["/pid", String(pid), "/T", "/F"];
