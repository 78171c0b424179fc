import { type FileHandle, open, rename, rm, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type SessionFolder, temporaryName } from "../session/session-folder.ts";
import { codeOf, type WorkspacePath } from "../workspace/workspace.ts";
import { assertWritable, currentVersion, type DiskFile } from "./disk-file.ts";
import { HeldFolder } from "./held-folder.ts";
import { makeFolders } from "./make-folders.ts";

/**
 * Pauses between attempts, in milliseconds: on Windows another program, such as a virus scanner, may hold a file
 * briefly.
 */
const RENAME_PAUSES = process.platform === "win32" ? [10, 50, 200, 500] : [];

/**
 * Replaces the file `was` by `bytes`, or creates a new file with its folders. Readers see either the old or the new
 * content, even after a crash: the new content is written to a temporary file beside it, flushed to disk and then
 * renamed. The mode is kept, and the owner where the system allows it. Other hard links keep the old content.
 * `session` has a note of the temporary file while it exists. A new file gets the permission bits `mode`, if given.
 * @throws Error in one sentence, with the file unchanged: read-only, changed since `was` was read, disk full.
 */
export async function writeAtomically(
  place: WorkspacePath,
  was: DiskFile | undefined,
  bytes: Buffer,
  session: Pick<SessionFolder, "note">,
  mode?: number,
): Promise<void> {
  if (was !== undefined) await assertWritable(place, was);
  const path = dirname(place.path);
  try {
    await makeFolders(path);
    await using folder = await HeldFolder.open(path);
    await assertInPlace(folder, place);
    const name = temporaryName();
    const temporary = folder.file(name);
    const forget = session.note(join(path, name));
    try {
      await writeNew(temporary, was, bytes, mode);
      await assertUnchanged(folder, place, was);
      await renameOver(temporary, folder.file(basename(place.path)));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    } finally {
      forget();
    }
    await folder.flush();
  } catch (error) {
    throw writeError(error, place);
  }
}

/** Deletes a file that has not changed since it was read. @throws Error in one sentence, with the file unchanged. */
export async function removeFile(place: WorkspacePath, was: DiskFile): Promise<void> {
  await assertWritable(place, was);
  try {
    await using folder = await HeldFolder.open(dirname(place.path));
    await assertUnchanged(folder, place, was);
    await unlink(folder.file(basename(place.path)));
    await folder.flush();
  } catch (error) {
    throw writeError(error, place);
  }
}

async function writeNew(path: string, was: DiskFile | undefined, bytes: Buffer, mode?: number): Promise<void> {
  const handle = await open(path, "wx", was?.mode ?? mode ?? 0o666);
  try {
    await handle.writeFile(bytes);
    if (was !== undefined) await keepOwner(handle, was);
    else if (mode !== undefined) await handle.chmod(mode);
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

/** @throws Error when a folder above the file was moved, or replaced by a link, since the file was located. */
async function assertInPlace(folder: HeldFolder, { shown }: WorkspacePath): Promise<void> {
  if (await folder.isInPlace()) return;
  throw new Error(`"${shown}" was moved while it was being written, and was not changed; try again.`);
}

/** @throws Error when the file was changed or moved since it was read. */
async function assertUnchanged(folder: HeldFolder, place: WorkspacePath, was: DiskFile | undefined): Promise<void> {
  await assertInPlace(folder, place);
  if ((await currentVersion(folder.file(basename(place.path)))) !== was?.version) {
    throw new Error(`"${place.shown}" was changed by another program just now, and was not edited; read it again.`);
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
  ENOENT: "its folder does not exist and cannot be made",
  ENAMETOOLONG: "its name is too long",
};

function writeError(error: unknown, { shown }: WorkspacePath): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  return new Error(`"${shown}" could not be written and is unchanged: ${CAUSES[code] ?? code}.`, { cause: error });
}
