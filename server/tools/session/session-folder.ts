import { randomBytes } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";

/** The names of these folders: the machine, in letters that a path may have, and the process. */
const MACHINE = hostname()
  .replaceAll(/[^A-Za-z0-9]/g, "")
  .slice(0, 16);
const PREFIX = `gavel-${MACHINE}-`;
const NOTE = "note";
/** The name of a temporary file beside the file that it is to replace. */
const TEMPORARY = /^\.gavel-[0-9a-f]{16}\.tmp$/;
const NAME = new RegExp(`^${PREFIX}(?<pid>\\d+)-[A-Za-z0-9]{6}$`);

/** Removed when the process exits. */
const opened = new Set<string>();

/**
 * The folder of this process for its temporary files and those of its sandboxed commands, which only this user can enter.
 * It is removed when the process exits; one of a process that was killed is removed by the next.
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

  /**
   * Notes a temporary file, or an empty folder, that is elsewhere, so that the next process removes it if this one is
   * killed. Returns a function for when it is gone. @throws Error when the note cannot be written.
   */
  note(path: string): () => void {
    const note = this.fresh(NOTE);
    writeFileSync(note, path, { mode: 0o600 });
    return () => rmSync(note, { force: true });
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
    if (opened.size === 0) process.once("exit", removeOpened);
    opened.add(path);
    return path;
  }
}

/** The name of a new temporary file beside the file that it is to replace. */
export const temporaryName = (): string => `.gavel-${randomBytes(8).toString("hex")}.tmp`;

/** Removes what processes on this machine that no longer run have left: what they noted, and their folders. Never throws. */
export function removeStaleSessions(parent: string = tmpdir()): void {
  for (const name of namesIn(parent)) {
    const pid = Number(NAME.exec(name)?.groups?.["pid"]);
    const path = join(parent, name);
    if (!(pid > 0) || isRunning(pid) || !isOwnFolder(path)) continue;
    removeSession(path);
  }
}

/** Removes what a session noted, and its folder. */
function removeSession(path: string): void {
  for (const note of namesIn(path).filter((one) => one.startsWith(`${NOTE}-`))) removeNoted(join(path, note));
  removeFolder(path);
}

/** Only files that are named like a temporary one, and folders that are empty. */
function removeNoted(note: string): void {
  try {
    const path = readFileSync(note, "utf8");
    if (lstatSync(path).isDirectory()) rmdirSync(path);
    else if (TEMPORARY.test(basename(path))) unlinkSync(path);
  } catch {
    // It is gone, or is in use now.
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

function removeOpened(): void {
  for (const path of opened) removeSession(path);
}

/** Removes a folder and what is in it. What cannot be removed is left to the next process. */
export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Another process holds it.
  }
}
