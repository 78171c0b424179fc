import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Installs something into a folder once. It is put together in a sibling and then renamed, so the folder is there
 * complete or not at all; of two processes that install at the same time, one's work stays and the other's is dropped.
 * @param folder where it is to be; when it exists, nothing is done.
 * @param install puts everything into the (empty) folder it is given.
 * @throws whatever `install` throws; nothing is left behind then.
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
    // Someone else was quicker: a folder that is not empty can not be renamed over.
    if (!existsSync(folder)) throw error;
  }
}

function stagingPrefix(folder: string): string {
  return join(dirname(folder), `.${basename(folder)}.installing-`);
}

/** Removes what an installation left behind that was killed half-way: its process is gone. */
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
    // EPERM: it runs, as another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
