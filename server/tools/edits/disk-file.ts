import { access, constants, stat } from "node:fs/promises";
import { withOpenFile } from "../workspace/open-file.ts";
import { codeOf, type WorkspacePath } from "../workspace/workspace.ts";

/** The largest file that is edited, in bytes; previews and undo keep it whole. */
export const MAX_BYTES = 4 * 1024 * 1024;

/** A file as it was read. */
export interface DiskFile {
  readonly bytes: Buffer;
  /** The permission bits. */
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number };
  /** Changes when the file is written or replaced. */
  readonly version: string;
}

/** The file at a path; undefined when there is none. @throws Error when it cannot be edited or is too large. */
export async function readDiskFile(place: WorkspacePath): Promise<DiskFile | undefined> {
  const entry = await stat(place.path).catch(undefinedIfMissing);
  if (entry === undefined) return undefined;
  if (entry.isDirectory()) throw new Error(`"${place.shown}" is a folder, not a file.`);
  return withOpenFile(place, async (handle) => {
    const found = await handle.stat({ bigint: true });
    if (found.size > MAX_BYTES) throw tooLargeError(place);
    const bytes = await handle.readFile();
    return {
      bytes,
      mode: Number(found.mode) & 0o7777,
      owner: { uid: Number(found.uid), gid: Number(found.gid) },
      version: versionOf(found),
    };
  });
}

/** The current {@link DiskFile.version} of a file; undefined when it does not exist. */
export async function currentVersion(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(undefinedIfMissing);
  return found === undefined ? undefined : versionOf(found);
}

/** @throws Error for a read-only file, which the permissions of its folder would otherwise allow to be replaced. */
export async function assertWritable({ path, shown }: WorkspacePath, { mode }: DiskFile): Promise<void> {
  const allowed = await access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!allowed || (mode & 0o222) === 0) throw new Error(`"${shown}" is read-only; make it writable to edit it.`);
}

export const tooLargeError = ({ shown }: WorkspacePath): Error =>
  new Error(`"${shown}" is larger than ${MAX_BYTES / 1024 / 1024} MB; edit it with a command.`);

interface Found {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

const versionOf = ({ dev, ino, size, mtimeNs }: Found): string => [dev, ino, size, mtimeNs].join(":");

function undefinedIfMissing(error: unknown): undefined {
  if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return undefined;
  throw error;
}
