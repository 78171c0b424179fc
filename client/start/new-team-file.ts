import { Uri, workspace } from "vscode";

/** A file for a new team, `NAME.team.yaml` or with a number after its name: one that does not exist yet. */
export async function freeTeamFile(folder: Uri, name: string): Promise<Uri> {
  for (let count = 1; ; count++) {
    const file = Uri.joinPath(folder, `${name}${count === 1 ? "" : `-${count}`}.team.yaml`);
    const isOpen = workspace.textDocuments.some(({ uri }) => uri.path === file.path);
    if (!isOpen && !(await exists(file))) return file;
  }
}

export async function exists(file: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(file);
    return true;
  } catch {
    return false;
  }
}
