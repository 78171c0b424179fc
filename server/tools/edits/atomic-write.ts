import { type FileHandle, mkdir, open, realpath, rename, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type SessionFolder, temporaryName } from "../session/session-folder.ts";
import { codeOf, type WorkspacePath } from "../workspace/workspace.ts";
import { assertWritable, currentVersion, type DiskFile } from "./disk-file.ts";

/**
 * Pauses between attempts, in milliseconds: on Windows another program, such as a virus scanner, may hold a file
 * briefly.
 */
const RENAME_PAUSES = process.platform === "win32" ? [10, 50, 200, 500] : [];

/**
 * Replaces the file `was` by `bytes`, or creates a new file with its folders. Readers see either the old or the new
 * content, even after a crash: the new content is written to a temporary file beside it, flushed to disk and then
 * renamed. The mode is kept, and the owner where the system allows it. Other hard links keep the old content.
 * `session` has a note of the temporary file while it exists.
 * @throws Error in one sentence, with the file unchanged: read-only, changed since `was` was read, disk full.
 */
export async function writeAtomically(
  place: WorkspacePath,
  was: DiskFile | undefined,
  bytes: Buffer,
  session: Pick<SessionFolder, "note">,
): Promise<void> {
  if (was !== undefined) await assertWritable(place, was);
  const folder = dirname(place.path);
  try {
    await mkdir(folder, { recursive: true });
    const temporary = join(folder, temporaryName());
    const forget = session.note(temporary);
    try {
      await writeNew(temporary, was, bytes);
      await assertUnchanged(place, was);
      await renameOver(temporary, place.path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    } finally {
      forget();
    }
  } catch (error) {
    throw writeError(error, place);
  }
  await flushFolder(folder);
}

/** Deletes a file that has not changed since it was read. @throws Error in one sentence, with the file unchanged. */
export async function removeFile(place: WorkspacePath, was: DiskFile): Promise<void> {
  await assertWritable(place, was);
  await assertUnchanged(place, was);
  await unlink(place.path).catch((error: unknown) => {
    throw writeError(error, place);
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

/** The mode is set last: changing the owner clears some of its bits. */
async function keepOwner(handle: FileHandle, { mode, owner }: DiskFile): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== owner.uid || own.gid !== owner.gid) await handle.chown(owner.uid, owner.gid).catch(() => {});
  await handle.chmod(mode);
}

/** @throws Error when the file was changed, or a folder above it replaced by a link, since it was read. */
async function assertUnchanged({ path, shown }: WorkspacePath, was: DiskFile | undefined): Promise<void> {
  const folder = dirname(path);
  if ((await realpath(folder)) !== folder) {
    throw new Error(`"${shown}" was moved while it was being written, and was not changed; try again.`);
  }
  if ((await currentVersion(path)) !== was?.version) {
    throw new Error(`"${shown}" was changed by another program just now, and was not edited; read it again.`);
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

/** A rename is durable once its folder is flushed. Not every system can do that, and the file is already written. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; free some space",
  EDQUOT: "the disk quota is used up; free some space",
  EFBIG: "the system does not allow a file of that size",
  EROFS: "its disk is read-only",
  EACCES: "its folder is not writable; change the folder's permissions",
  EPERM: "the system does not permit it; close programs that use the file, or change its permissions",
  EBUSY: "another program is using it; close that program",
  ENOTDIR: "a part of its path is a file instead of a folder",
  EEXIST: "a part of its path is a file instead of a folder",
  ENAMETOOLONG: "its name is too long",
};

function writeError(error: unknown, { shown }: WorkspacePath): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  return new Error(`"${shown}" could not be written and is unchanged: ${CAUSES[code] ?? code}.`, { cause: error });
}
