import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

/** The names of these folders: the machine, in letters that a path may have, and the process. */
const MACHINE = hostname()
  .replaceAll(/[^A-Za-z0-9]/g, "")
  .slice(0, 16);
const PREFIX = `gavel-${MACHINE}-`;
const NAME = new RegExp(`^${PREFIX}(?<pid>\\d+)-[A-Za-z0-9]{6}$`);

/**
 * The folder of this process for temporary files of its sandboxed commands, which only this user can enter. It is removed
 * when the process exits; one of a process that was killed is removed by the next.
 */
export class SessionFolder {
  readonly #parent: string;
  #path: string | undefined;
  #count = 0;

  constructor(parent: string = tmpdir()) {
    this.#parent = parent;
  }

  /** Its path, with links resolved. Created on first use. @throws Error when it cannot be created. */
  get path(): string {
    this.#path ??= this.#create();
    return this.#path;
  }

  /** The folder that commands see as /tmp. It stays for the whole session, so that a command finds what another one left. */
  get temp(): string {
    const path = join(this.path, "tmp");
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** An empty file that no one may read. */
  get unreadable(): string {
    return this.write("unreadable", "", 0o000);
  }

  /** A path that is not in use. */
  fresh(name: string): string {
    return join(this.path, `${name}-${++this.#count}`);
  }

  /** Writes a file, unless it is there. */
  write(name: string, content: string, mode = 0o600): string {
    const path = join(this.path, name);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
      writeFileSync(path, content, { mode: 0o600 });
      chmodSync(path, mode);
    }
    return path;
  }

  #create(): string {
    const path = realpathSync(mkdtempSync(join(this.#parent, `${PREFIX}${process.pid}-`)));
    process.once("exit", () => removeFolder(path));
    return path;
  }
}

/** Removes the folders of processes on this machine that no longer run. Never throws. */
export function removeStaleSessions(parent: string = tmpdir()): void {
  for (const name of namesIn(parent)) {
    const pid = Number(NAME.exec(name)?.groups?.["pid"]);
    const path = join(parent, name);
    if (pid > 0 && !isRunning(pid) && isOwnFolder(path)) removeFolder(path);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Another user's process counts as running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function isOwnFolder(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && (process.getuid === undefined || stat.uid === process.getuid());
}

function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The next process tries again.
  }
}
