import { realpath } from "node:fs/promises";
import { isAbsolute, posix, relative, sep } from "node:path";
import { Uri, workspace } from "vscode";
import { isOnOtherMachine } from "./common/files/other-machine.ts";

/**
 * A file that the page or the host named, if it is in the workspace after symbolic links are resolved. The name may come
 * from a model.
 * @throws Error when it is elsewhere, or is not a file on disk.
 */
export async function requireInWorkspace(uri: Uri): Promise<Uri> {
  const file = uri.with({ path: posix.normalize(uri.path) });
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  if (file.scheme === "file" && !isOnOtherMachine(file, folders)) {
    const path = await realpath(file.fsPath).catch(() => undefined);
    if (path === undefined) throw new Error(`The file "${file.fsPath}" does not exist.`);
    if (await isInWorkspace(path)) return file;
  }
  throw new Error(`"${file.fsPath}" is outside the workspace. The chat opens only files in the workspace.`);
}

/** Whether a real path, without symbolic links, is in a workspace folder. */
export async function isInWorkspace(path: string): Promise<boolean> {
  for (const { uri } of workspace.workspaceFolders ?? []) {
    if (uri.scheme === "file" && isWithin(path, await realpath(uri.fsPath))) return true;
  }
  return false;
}

/** The file of a URI, or of a path relative to the first workspace folder. */
export function fileNamed(name: string): Uri {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return /^[a-z][a-z0-9+.-]+:/i.test(name) || folder === undefined ? Uri.parse(name, true) : Uri.joinPath(folder, name);
}

function isWithin(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest === "" || (rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}
