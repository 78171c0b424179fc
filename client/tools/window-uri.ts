import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import type { TextDocument } from "vscode";
import { Uri, workspace } from "vscode";

/**
 * The document of a file whose links are resolved, opened if it is not: as the window knows it, so that language extensions
 * find it by the folder that is open. @throws what VS Code throws for a file that it cannot open.
 */
export async function windowDocument(
  uri: string,
): Promise<{ readonly document: TextDocument; readonly isNew: boolean }> {
  const given = Uri.parse(uri, true);
  const known = await windowUri(given);
  const open = workspace.textDocuments.find((document) => document.uri.toString() === known.toString());
  return { document: open ?? (await workspace.openTextDocument(known)), isNew: open === undefined };
}

/** The URI in the window's folder; as given for a file that is in none. */
async function windowUri(given: Uri): Promise<Uri> {
  for (const { uri: folder } of workspace.workspaceFolders ?? []) {
    if (folder.scheme !== "file") continue;
    const real = await realpath(folder.fsPath).catch(() => folder.fsPath);
    const path = relative(real, given.fsPath);
    const isWithin = path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
    if (isWithin && real !== folder.fsPath) return Uri.joinPath(folder, ...path.split(sep));
  }
  return given;
}
