import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HostClient } from "../../host-client.ts";
import type { SmallDisk } from "./small-disk.ts";

/** Where hosts keep their store. */
export interface StoreFolder {
  /** As the hosts see it, and as this process does. */
  readonly path: string;
  readonly seen: string;
  /** The disk that the folder is on. */
  readonly disk: SmallDisk;
}

/** Ends a fault. */
export type EndFault = () => Promise<void> | void;

/** Keeps a host from writing its store until what it returns is called. */
export type DiskFault = (folder: StoreFolder, host: HostClient) => Promise<EndFault> | EndFault;

export interface NamedFault {
  readonly name: string;
  readonly begin: DiskFault;
  /** Whether a write waits for seconds before it fails. */
  readonly isSlow?: true;
}

/** What may happen to the disk of a running host. */
export const diskFaults: readonly NamedFault[] = [
  { name: "the disk is full", begin: fill },
  { name: "the disk is almost full", begin: almostFill },
  { name: "another program locks the store", begin: lock, isSlow: true },
  { name: "the folder is moved away", begin: moveAway },
  { name: "another folder has its place", begin: replace },
  { name: "files cannot grow", begin: limitFiles },
];

function fill({ disk }: StoreFolder): EndFault {
  disk.fill();
  return () => disk.free();
}

/** Small writes succeed, and larger ones do not. */
function almostFill({ disk }: StoreFolder): EndFault {
  disk.fill(8);
  return () => disk.free();
}

/** Locks the database `$1` until the input ends. */
const LOCK = `
  const database = new (require("node:sqlite").DatabaseSync)(process.argv[1]);
  database.exec("PRAGMA busy_timeout = 20000; BEGIN EXCLUSIVE");
  console.log("locked");
  process.stdin.resume();
  process.stdin.on("end", () => process.exit());
`;

/** What another program does that writes a large transaction, or makes a backup. */
async function lock({ path, disk }: StoreFolder): Promise<EndFault> {
  const [program = "", ...args] = [...disk.command, process.execPath, "-e", LOCK, join(path, "gavel.db")];
  const other = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const gone = once(other, "exit");
  await Promise.race([once(other.stdout, "data"), gone]);
  return async () => {
    other.stdin.end();
    await gone;
  };
}

function moveAway({ seen }: StoreFolder): EndFault {
  return moved(seen);
}

function moved(folder: string): () => void {
  renameSync(folder, `${folder}-away`);
  return () => renameSync(`${folder}-away`, folder);
}

function replace({ seen }: StoreFolder): EndFault {
  const moveBack = moved(seen);
  mkdirSync(seen);
  return () => {
    rmSync(seen, { recursive: true });
    moveBack();
  };
}

function limitFiles({ seen }: StoreFolder, host: HostClient): EndFault {
  const limit = (size: string): void => {
    execFileSync("prlimit", ["--pid", String(host.process.pid), `--fsize=${size}:`]);
  };
  const files = readdirSync(seen, { withFileTypes: true }).filter((entry) => entry.isFile());
  limit(String(Math.max(...files.map(({ name }) => statSync(join(seen, name)).size))));
  return () => limit("unlimited");
}
