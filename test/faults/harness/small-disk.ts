import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Root needs no user namespace, and may be refused one. */
const USER = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
const JOIN = process.getuid?.() === 0 ? [] : ["--user", "--preserve-credentials"];

/** Mounts a disk at `$0`, and keeps it until the input ends. */
const KEEP = 'mount -t tmpfs -o size="$1" tmpfs "$0" && echo mounted && exec cat';

/** Why there can be no small disk on this machine; false if there can. */
export const noSmallDisk: string | false =
  process.platform === "linux" && spawnSync("unshare", [...USER, "--mount", "true"]).status === 0
    ? false
    : "needs a mount namespace, which this system does not allow";

/**
 * A disk of a few megabytes, which can be filled and made read-only. It is mounted for its own processes alone, and needs no
 * privileges where the system has user namespaces.
 */
export class SmallDisk implements AsyncDisposable {
  /** The folder of the disk, for processes that are started with {@link command}. */
  readonly path: string;
  readonly #keeper: ChildProcess;

  private constructor(path: string, keeper: ChildProcess) {
    this.path = path;
    this.#keeper = keeper;
  }

  /** A disk that is mounted on an empty folder. */
  static async mount(path: string, kilobytes: number): Promise<SmallDisk> {
    const command = [...USER, "--mount", "sh", "-c", KEEP, path, `${kilobytes}k`];
    const keeper = spawn("unshare", command, { stdio: ["pipe", "pipe", "inherit"] });
    const disk = new SmallDisk(path, keeper);
    const failed = once(keeper, "exit").then(() => Promise.reject(new Error("The disk could not be mounted.")));
    await Promise.race([once(keeper.stdout, "data"), failed]);
    failed.catch(() => {});
    return disk;
  }

  /** Starts a program for which the disk is mounted; the program and its arguments follow. */
  get command(): readonly string[] {
    return ["nsenter", ...JOIN, "--mount", "--target", String(this.#keeper.pid)];
  }

  /** The folder as this process sees it. */
  get seen(): string {
    return join(`/proc/${this.#keeper.pid}/root`, this.path);
  }

  /** Leaves so many kilobytes free. */
  fill(left = 0): void {
    const file = openSync(this.#ballast, "a");
    try {
      for (let size = 64 * 1024; size >= 1; size = Math.floor(size / 2)) writeAll(file, size);
      ftruncateSync(file, Math.max(0, fstatSync(file).size - left * 1024));
    } finally {
      closeSync(file);
    }
  }

  /** What {@link fill} has written is deleted. */
  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** For a disk on which no file is open. */
  remount(mode: "ro" | "rw"): void {
    const [program = "", ...before] = this.command;
    execFileSync(program, [...before, "mount", "-o", `remount,${mode}`, this.path]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#keeper, "exit");
    this.#keeper.stdin?.end();
    await gone;
  }

  get #ballast(): string {
    return join(this.seen, "other-program");
  }
}

function writeAll(file: number, size: number): void {
  const bytes = Buffer.alloc(size);
  try {
    while (writeSync(file, bytes) === size);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}
