import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** How many ids of closed windows are kept. */
const MAX_FREE = 20;
/** In the place of a process: the window has closed. */
const NO_PROCESS = 0;

interface Claim {
  readonly id: string;
  /** The process that has it. */
  readonly pid: number;
}

/**
 * The id by which a host knows this window again when it returns: it is kept over reloads, and by the next window of the
 * same workspace, and no two windows have the same at a time. VS Code has none: `env.sessionId` is another one after each
 * reload, and windows of the same workspace share its state. So each id is an empty file of the storage folder, named by the
 * id and the extension host that has it; taking one renames it, which only one can do.
 */
export class WindowClaim {
  readonly #folder: string;
  #own: Claim | undefined;

  constructor(storagePath: string) {
    this.#folder = join(storagePath, "windows");
  }

  /** The id of this window. One that cannot be written down lasts until the window reloads. */
  get id(): string {
    this.#own ??= this.#claim();
    return this.#own.id;
  }

  /** Leaves the id to the window that comes next. */
  release(): void {
    const own = this.#own;
    if (own === undefined) return;
    this.#own = undefined;
    rename(this.#folder, own, NO_PROCESS);
  }

  #claim(): Claim {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const free = this.#free();
      for (const { id, pid } of free.slice(MAX_FREE)) rmSync(join(this.#folder, fileName(id, pid)), { force: true });
      for (const claim of free) {
        const taken = rename(this.#folder, claim, process.pid);
        if (taken !== undefined) return taken;
      }
    } catch {
      // The new id is tried below.
    }
    return this.#fresh();
  }

  #fresh(): Claim {
    const claim: Claim = { id: randomUUID(), pid: process.pid };
    try {
      writeFileSync(join(this.#folder, fileName(claim.id, claim.pid)), "", { mode: 0o600, flag: "wx" });
    } catch {
      // A folder in which nothing can be written.
    }
    return claim;
  }

  /** Those that no window has, the one that was released last first. */
  #free(): readonly Claim[] {
    return readdirSync(this.#folder)
      .flatMap((name) => claimOf(name) ?? [])
      .filter(({ pid }) => !isRunning(pid))
      .map((claim) => ({ claim, at: statSync(join(this.#folder, fileName(claim.id, claim.pid))).mtimeMs }))
      .toSorted((one, other) => other.at - one.at)
      .map(({ claim }) => claim);
  }
}

const fileName = (id: string, pid: number): string => `${id}.${pid}`;

function claimOf(name: string): Claim | undefined {
  const [, id, pid] = /^([0-9a-f-]{36})\.(\d{1,10})$/.exec(name) ?? [];
  return id === undefined ? undefined : { id, pid: Number(pid) };
}

/** The claim with another process; undefined if another window was faster. */
function rename(folder: string, { id, pid }: Claim, newPid: number): Claim | undefined {
  const path = join(folder, fileName(id, newPid));
  try {
    renameSync(join(folder, fileName(id, pid)), path);
    utimesSync(path, new Date(), new Date());
    return { id, pid: newPid };
  } catch {
    return undefined;
  }
}

/** Whether that process of the user runs. */
function isRunning(pid: number): boolean {
  if (pid === NO_PROCESS) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
