import type { Disposable, Uri } from "vscode";
import { RelativePattern, Uri as Uris, workspace } from "vscode";
import { Disposables } from "../disposables.ts";

/** The pattern of a file, whose name can have characters that mean something in a pattern. */
export function patternOf(file: Uri): RelativePattern {
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  return new RelativePattern(Uris.joinPath(file, ".."), name.replaceAll(/[[\]{}*?]/g, "[$&]"));
}

/** Calls `changed` when the content of a file changes, on disk or in an editor. */
export function watchFile(file: Uri, changed: () => void): Disposable {
  const own = new Disposables();
  const disk = own.add(workspace.createFileSystemWatcher(patternOf(file)));
  own.add(disk.onDidChange(changed));
  own.add(disk.onDidCreate(changed));
  own.add(disk.onDidDelete(changed));
  const isIt = (uri: Uri): boolean => uri.toString() === file.toString();
  own.add(workspace.onDidChangeTextDocument(({ document }) => isIt(document.uri) && changed()));
  own.add(workspace.onDidCloseTextDocument(({ uri }) => isIt(uri) && changed()));
  return own;
}
