import { FileType, Uri, workspace } from "vscode";
import { fileReference } from "../common/files/file-reference.ts";
import type { FileTarget } from "../common/page-messages.ts";
import { placesOf } from "./workspace-places.ts";

/** What a path of a message names, and where that is. */
export type FoundFile = FileTarget & { readonly uri?: Uri };

/** What each path names. */
export function fileTargets(paths: readonly string[]): Promise<FileTarget[]> {
  return Promise.all(
    paths.map(async (path) => {
      const { kind, label } = await findFile(path);
      return { path, kind, label };
    }),
  );
}

/** What a path names. Nothing outside the workspace is looked at, so that a message cannot find out what is there. */
export async function findFile(path: string): Promise<FoundFile> {
  const plain = fileReference(path)?.path;
  if (plain === undefined) return { path, kind: "missing", label: path };
  const roots = workspace.workspaceFolders ?? [];
  const { within, outside } = placesOf(
    plain,
    roots.map(({ name, uri }) => ({ name, path: uri.path })),
  );
  let folder: FoundFile | undefined;
  for (const place of within) {
    const root = roots[place.folder]?.uri;
    if (root === undefined) continue;
    const uri = Uri.joinPath(root, place.path);
    const kind = await kindOf(uri);
    const found = { path, uri, label: workspace.asRelativePath(uri) };
    if (kind === "file") return { ...found, kind };
    if (kind === "folder") folder ??= { ...found, kind };
  }
  if (folder !== undefined) return folder;
  if (outside === undefined) return { path, kind: "missing", label: plain };
  const uri = (roots[0]?.uri ?? Uri.file("/")).with({ path: outside });
  return { path, kind: "outside", uri, label: uri.fsPath };
}

/** Whether there is a file or a folder; undefined for neither. */
export async function kindOf(uri: Uri): Promise<"file" | "folder" | undefined> {
  try {
    const { type } = await workspace.fs.stat(uri);
    return (type & FileType.File) !== 0 ? "file" : (type & FileType.Directory) !== 0 ? "folder" : undefined;
  } catch {
    return undefined;
  }
}
