import { createHash, randomUUID } from "node:crypto";
import { chmod, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  folderKey,
  MAX_STORE_PLACE,
  placesFolder,
  StorePlace,
  storePlaceIn,
  type UserPlace,
} from "../../shared/store-place.ts";

/** How many folders are looked at when old files are removed. */
const MAX_FOLDERS = 1000;

/** Where a window keeps its teams. */
export interface WindowStore {
  /** The paths of the open folders. */
  readonly folders: readonly string[];
  readonly storagePath: string;
  readonly globalStoragePath: string;
}

const HERE: UserPlace = { platform: process.platform, home: homedir(), variables: process.env };

/**
 * Writes down where the store of each open folder is, so that the user's other clients, such as the command line, find it:
 * a file for each folder, which only the user can read. Files of folders or stores that are gone are removed.
 * @throws Error when they cannot be written.
 */
export async function registerStore({ folders, storagePath, globalStoragePath }: WindowStore, place = HERE) {
  const placesPath = placesFolder(place);
  await mkdir(placesPath, { recursive: true, mode: 0o700 });
  await chmod(placesPath, 0o700).catch(() => undefined);
  for (const open of folders) {
    const folder = await realpath(open).catch(() => undefined);
    // A folder of the workspace that is gone.
    if (folder === undefined) continue;
    await replaceFile(join(placesPath, fileName(folder, place)), {
      version: 1,
      folder,
      storagePath,
      globalStoragePath,
    });
  }
  await removeStale(placesPath);
}

const fileName = (folder: string, { platform }: UserPlace): string =>
  `${createHash("sha256").update(folderKey(folder, platform)).digest("hex")}.json`;

/** Another window that writes the same file leaves the one or the other, whole. */
async function replaceFile(path: string, content: StorePlace): Promise<void> {
  // Its own name: a process of another container has the same id, and a killed one leaves its file behind.
  const fresh = `${path}.${randomUUID()}.new`;
  try {
    await writeFile(fresh, `${JSON.stringify(StorePlace.parse(content))}\n`, { mode: 0o600, flag: "wx" });
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}

async function removeStale(placesPath: string): Promise<void> {
  const names = (await readdir(placesPath)).filter((name) => name.endsWith(".json"));
  for (const name of names.slice(0, MAX_FOLDERS)) {
    const path = join(placesPath, name);
    // Another window may just have removed it.
    if (await isStale(path).catch(() => false)) await rm(path, { force: true });
  }
}

/** A file of a later version is kept. */
async function isStale(path: string): Promise<boolean> {
  if ((await stat(path)).size > MAX_STORE_PLACE) return true;
  const text = await readFile(path, "utf8");
  if (storePlaceIn(text, "") === "newer") return false;
  const parsed = StorePlace.safeParse(jsonOr(text));
  return !parsed.success || !(await isFolder(parsed.data.folder));
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
