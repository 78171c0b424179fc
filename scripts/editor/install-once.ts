import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Installs something into a folder once. The files are written to a sibling folder that is then renamed, so the folder is
 * complete or absent. If two processes install at the same time, one result is kept and the other is discarded.
 * @param folder the target; if it exists, nothing is done.
 * @param install writes everything into the empty folder that it is given.
 * @throws what `install` throws; no files are left behind.
 */
export async function installOnce(folder: string, install: (staging: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return;
  await mkdir(dirname(folder), { recursive: true });
  await removeAbandoned(folder);
  const staging = await mkdtemp(`${stagingPrefix(folder)}${process.pid}-`);
  try {
    await install(staging);
    await rename(staging, folder);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    // Another process was faster: a folder cannot be renamed over one that is not empty.
    if (!existsSync(folder)) throw error;
  }
}

function stagingPrefix(folder: string): string {
  return join(dirname(folder), `.${basename(folder)}.installing-`);
}

/** Removes the files of installations that were killed: their process no longer exists. */
async function removeAbandoned(folder: string): Promise<void> {
  const prefix = basename(stagingPrefix(folder));
  for (const name of await readdir(dirname(folder))) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (pid > 0 && !isRunning(pid)) await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
