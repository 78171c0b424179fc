import { realpath } from "node:fs/promises";
import { isAbsolute, posix, relative, sep } from "node:path";
import { Uri } from "vscode";
import { isOnOtherMachine } from "../common/files/other-machine.ts";
import { openFolders } from "./work-folders.ts";

/**
 * A file that the page or the host named, if it is in the workspace after symbolic links are resolved. The name may come
 * from a model.
 * @throws Error when it is elsewhere, or is not a file on disk.
 */
export async function requireInWorkspace(uri: Uri, folders = openFolders()): Promise<Uri> {
  const file = uri.with({ path: posix.normalize(uri.path) });
  const uris = folders.map(({ uri }) => uri);
  if (file.scheme === "file" && !isOnOtherMachine(file, uris)) {
    const path = await realpath(file.fsPath).catch(() => undefined);
    if (path === undefined) throw new Error(`The file "${file.fsPath}" does not exist.`);
    if (await isInWorkspace(path, folders)) return file;
  }
  throw new Error(`"${file.fsPath}" is outside the workspace. The chat opens only files in the workspace.`);
}

/** Whether a real path, without symbolic links, is in one of the folders: those of the window, or of a team. */
export async function isInWorkspace(path: string, folders = openFolders()): Promise<boolean> {
  for (const { uri } of folders) {
    const folder = uri.scheme === "file" ? await realpath(uri.fsPath).catch(() => undefined) : undefined;
    if (folder !== undefined && isWithin(path, folder)) return true;
  }
  return false;
}

/** The file of a URI, or of a path relative to the first folder. */
export function fileNamed(name: string, folders = openFolders()): Uri {
  const folder = folders[0]?.uri;
  return /^[a-z][a-z0-9+.-]+:/i.test(name) || folder === undefined ? Uri.parse(name, true) : Uri.joinPath(folder, name);
}

function isWithin(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest === "" || (rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}
