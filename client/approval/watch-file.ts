import type { Disposable, Uri } from "vscode";
import { RelativePattern, Uri as Uris, workspace } from "vscode";
import { Disposables } from "../disposables.ts";

/** Calls `changed` when the content of a file changes, on disk or in an editor. */
export function watchFile(file: Uri, changed: () => void): Disposable {
  const own = new Disposables();
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  const pattern = new RelativePattern(Uris.joinPath(file, ".."), name.replaceAll(/[[\]{}*?]/g, "[$&]"));
  const disk = own.add(workspace.createFileSystemWatcher(pattern));
  own.add(disk.onDidChange(changed));
  own.add(disk.onDidCreate(changed));
  own.add(disk.onDidDelete(changed));
  const isIt = (uri: Uri): boolean => uri.toString() === file.toString();
  own.add(workspace.onDidChangeTextDocument(({ document }) => isIt(document.uri) && changed()));
  own.add(workspace.onDidCloseTextDocument(({ uri }) => isIt(uri) && changed()));
  return own;
}
