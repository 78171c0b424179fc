import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, realpath, rename, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { codeOf, type Place } from "../workspace/workspace.ts";
import { currentMark, type DiskFile, requireWritable } from "./disk-file.ts";

/** On Windows another program, often one that looks for viruses, can hold a file for an instant. In milliseconds. */
const RENAME_PAUSES = process.platform === "win32" ? [10, 50, 200, 500] : [];

/**
 * Puts `bytes` in the place of the file `was`, or makes a new one with the folders above it. Whoever reads sees the old
 * content or the new, also after a crash: the new one is written to a file beside it and flushed to the disk, then takes the
 * name. The mode is kept, and the owner where the system lets it. A file that has several names (hard links) keeps its content
 * under the others.
 * @throws Error in one sentence, with the file as it was: read-only, changed since `was` was read, a full disk.
 */
export async function writeAtomically(place: Place, was: DiskFile | undefined, bytes: Buffer): Promise<void> {
  if (was !== undefined) await requireWritable(place, was);
  const folder = dirname(place.path);
  try {
    await mkdir(folder, { recursive: true });
    const temporary = join(folder, `.gavel-${randomBytes(8).toString("hex")}.tmp`);
    try {
      await writeNew(temporary, was, bytes);
      await requireUnmoved(place, was);
      await renameOver(temporary, place.path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
  } catch (error) {
    throw inWords(error, place);
  }
  await flushFolder(folder);
}

/** Takes away a file that is still as it was read. @throws Error in one sentence, with the file as it was. */
export async function removeFile(place: Place, was: DiskFile): Promise<void> {
  await requireWritable(place, was);
  await requireUnmoved(place, was);
  await unlink(place.path).catch((error: unknown) => {
    throw inWords(error, place);
  });
  await flushFolder(dirname(place.path));
}

async function writeNew(path: string, was: DiskFile | undefined, bytes: Buffer): Promise<void> {
  const handle = await open(path, "wx", was?.mode ?? 0o666);
  try {
    await handle.writeFile(bytes);
    if (was !== undefined) await keepOwner(handle, was);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The mode comes last: a change of the owner takes some of its bits away. */
async function keepOwner(handle: FileHandle, { mode, owner }: DiskFile): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== owner.uid || own.gid !== owner.gid) await handle.chown(owner.uid, owner.gid).catch(() => {});
  await handle.chmod(mode);
}

/** Somebody else may have written the file, or put a link in the place of a folder above it, since it was read. */
async function requireUnmoved({ path, shown }: Place, was: DiskFile | undefined): Promise<void> {
  const folder = dirname(path);
  if ((await realpath(folder)) !== folder) {
    throw new Error(`"${shown}" was moved while it was being written, and was not changed; try again.`);
  }
  if ((await currentMark(path)) !== was?.mark) {
    throw new Error(`"${shown}" was changed by somebody else just now, and was left so; read it again.`);
  }
}

async function renameOver(from: string, to: string): Promise<void> {
  for (const pause of RENAME_PAUSES) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (!["EPERM", "EACCES", "EBUSY"].includes(codeOf(error) ?? "")) throw error;
      await setTimeout(pause);
    }
  }
  await rename(from, to);
}

/** The new name is durable with its folder. Not every system can flush one, and the file is written by then. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; free some space",
  EDQUOT: "the disk quota is used up; free some space",
  EFBIG: "the system allows no file of that size",
  EROFS: "its disk is read-only",
  EACCES: "its folder may not be written; change the folder's permissions",
  EPERM: "the system does not allow it; close what holds the file, or change its permissions",
  EBUSY: "another program holds it; close that program",
  ENOTDIR: "a file stands where a folder would have to be",
  EEXIST: "a file stands where a folder would have to be",
  ENAMETOOLONG: "its name is too long",
};

function inWords(error: unknown, { shown }: Place): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  return new Error(`"${shown}" could not be written and is as it was: ${CAUSES[code] ?? code}.`, { cause: error });
}
