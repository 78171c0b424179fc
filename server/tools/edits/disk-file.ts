import { access, constants, stat } from "node:fs/promises";
import { withFile } from "../workspace/open-file.ts";
import { codeOf, type Place } from "../workspace/workspace.ts";

/** What is edited at most, in bytes; a preview and an undo hold it whole. */
export const MAX_BYTES = 4 * 1024 * 1024;

/** A file as it was found: its bytes, and what tells whether it is still that one. */
export interface DiskFile {
  readonly bytes: Buffer;
  /** The permission bits. */
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number };
  /** Differs once the file has been written or replaced. */
  readonly mark: string;
}

/** The file at a place; undefined when there is none. @throws Error when it is none that could be edited, or is too big. */
export async function readDiskFile(place: Place): Promise<DiskFile | undefined> {
  if ((await stat(place.path).catch(ifMissing)) === undefined) return undefined;
  return withFile(place, async (handle) => {
    const found = await handle.stat({ bigint: true });
    if (found.size > MAX_BYTES) throw tooBig(place);
    const bytes = await handle.readFile();
    return {
      bytes,
      mode: Number(found.mode) & 0o7777,
      owner: { uid: Number(found.uid), gid: Number(found.gid) },
      mark: markOf(found),
    };
  });
}

/** What tells one state of a file from another, as {@link DiskFile.mark}; undefined when there is none. */
export async function currentMark(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(ifMissing);
  return found === undefined ? undefined : markOf(found);
}

/** @throws Error for a file that may not be written. Its folder's permission would let it be replaced all the same. */
export async function requireWritable({ path, shown }: Place, { mode }: DiskFile): Promise<void> {
  const allowed = await access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!allowed || (mode & 0o222) === 0) throw new Error(`"${shown}" is read-only; make it writable to edit it.`);
}

export const tooBig = ({ shown }: Place): Error =>
  new Error(`"${shown}" is larger than ${MAX_BYTES / 1024 / 1024} MB; edit it with a command.`);

interface Found {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

const markOf = ({ dev, ino, size, mtimeNs }: Found): string => [dev, ino, size, mtimeNs].join(":");

function ifMissing(error: unknown): undefined {
  if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return undefined;
  throw error;
}
