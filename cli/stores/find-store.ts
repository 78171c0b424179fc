import { createHash } from "node:crypto";
import { readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  folderKey,
  MAX_STORE_PLACE,
  placesFolder,
  storePlaceIn,
  type UserPlace,
  userFolder,
} from "../../shared/store-place.ts";
import { UsageError } from "../arguments/usage-error.ts";

/** Where the threads of a folder are, and the user's own approval rules. */
export interface FolderStore {
  readonly storagePath: string;
  readonly globalStoragePath: string;
  /** The store of the editor, or one of the command line's own. */
  readonly of: "editor" | "commandLine";
}

const HERE: UserPlace = { platform: process.platform, home: homedir(), variables: process.env };

/** The folder as given, with links resolved. @throws UsageError when there is none. */
export function existingFolder(path: string): string {
  try {
    const folder = realpathSync.native(path);
    if (statSync(folder).isDirectory()) return folder;
  } catch {
    // Said below.
  }
  throw new UsageError(`The folder ${path} does not exist; give another with --folder.`);
}

/**
 * The store of a folder: that of the editor which last had it open, or else one of the command line's own.
 * @param folder with links resolved.
 * @throws UsageError when the editor's extension is newer and says it in a way that is not known here.
 */
export function findStore(folder: string, { own = false, place = HERE } = {}): FolderStore {
  const name = createHash("sha256").update(folderKey(folder, place.platform)).digest("hex");
  const known = own ? undefined : readPlace(join(placesFolder(place), `${name}.json`), folder);
  if (known !== undefined) return { ...known, of: "editor" };
  const root = userFolder(place);
  return {
    storagePath: join(root, "stores", name),
    globalStoragePath: join(root, "user"),
    of: "commandLine",
  };
}

/** What is not the user's own, or not private to the user, is not believed. */
function readPlace(path: string, folder: string): Pick<FolderStore, "storagePath" | "globalStoragePath"> | undefined {
  const file = statOf(path);
  if (file === undefined || !file.isFile() || !isOwn(file) || file.size > MAX_STORE_PLACE) return undefined;
  const found = storePlaceIn(readFileSync(path, "utf8"), folder);
  if (found === "newer") {
    throw new UsageError("VS Code has a newer version of Gavel than this command line; update it, or use --own-store.");
  }
  if (found === undefined) return undefined;
  const { storagePath, globalStoragePath } = found;
  const storage = statOf(storagePath);
  return storage?.isDirectory() === true && isPrivate(storage) ? { storagePath, globalStoragePath } : undefined;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Windows has no such owners; the folder is in the user's profile there. */
const isOwn = ({ uid, mode }: Stats): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);

/** As the host makes a store's folder. Any other folder of the user's is no store, and would be made one. */
const isPrivate = (folder: Stats): boolean =>
  isOwn(folder) && (process.getuid === undefined || (folder.mode & 0o077) === 0);
