import { FileType, Uri, workspace } from "vscode";
import { fileReference } from "../common/files/file-reference.ts";
import type { FileTarget } from "../common/page-messages.ts";
import type { WorkFolder } from "./work-folders.ts";
import { placesOf } from "./workspace-places.ts";

/** What a path of a message names, and where that is. */
export type FoundFile = FileTarget & { readonly uri?: Uri };

/** What each path names. */
export function fileTargets(paths: readonly string[], roots: readonly WorkFolder[]): Promise<FileTarget[]> {
  return Promise.all(
    paths.map(async (path) => {
      const { kind, label } = await findFile(path, roots);
      return { path, kind, label };
    }),
  );
}

/** What a path names. Nothing outside the team's folders is looked at: a message must not find out what is there. */
export async function findFile(path: string, roots: readonly WorkFolder[]): Promise<FoundFile> {
  const plain = fileReference(path)?.path;
  if (plain === undefined) return { path, kind: "missing", label: path };
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
    const found = { path, uri, label: labelIn(uri, place.path) };
    if (kind === "file") return { ...found, kind };
    if (kind === "folder") folder ??= { ...found, kind };
  }
  if (folder !== undefined) return folder;
  if (outside === undefined) return { path, kind: "missing", label: plain };
  const uri = (roots[0]?.uri ?? Uri.file("/")).with({ path: outside });
  return { path, kind: "outside", uri, label: uri.fsPath };
}

/** As VS Code shows the path; of a file that is not in the window's folders, its path in the team's. */
const labelIn = (uri: Uri, path: string): string =>
  workspace.getWorkspaceFolder(uri) === undefined ? path : workspace.asRelativePath(uri);

/** Whether there is a file or a folder; undefined for neither. */
export async function kindOf(uri: Uri): Promise<"file" | "folder" | undefined> {
  try {
    const { type } = await workspace.fs.stat(uri);
    return (type & FileType.File) !== 0 ? "file" : (type & FileType.Directory) !== 0 ? "folder" : undefined;
  } catch {
    return undefined;
  }
}
