import { realpath } from "node:fs/promises";
import { isAbsolute, posix, relative, sep } from "node:path";
import { Uri, workspace } from "vscode";

/**
 * A file that the page or the host named, when it lies in the workspace, symlinks resolved. What a page asks for may stem
 * from a model's words.
 * @throws a sentence when it is elsewhere, or is not a file on disk.
 */
export async function requireInWorkspace(uri: Uri): Promise<Uri> {
  const file = uri.with({ path: posix.normalize(uri.path) });
  if (file.scheme === "file") {
    const path = await realpath(file.fsPath).catch(() => undefined);
    if (path === undefined) throw new Error(`There is no file "${file.fsPath}".`);
    for (const folder of workspace.workspaceFolders ?? []) {
      if (isWithin(path, await realpath(folder.uri.fsPath))) return file;
    }
  }
  throw new Error(`"${file.fsPath}" lies outside the workspace, so the chat does not open it.`);
}

/** The file under a URI, or under a path relative to the first folder of the workspace. */
export function fileNamed(name: string): Uri {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return /^[a-z][a-z0-9+.-]+:/i.test(name) || folder === undefined ? Uri.parse(name, true) : Uri.joinPath(folder, name);
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
