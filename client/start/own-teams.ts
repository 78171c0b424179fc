import { FileType, Uri, workspace } from "vscode";

const TEAM_FILE = /\.team\.(?:ya?ml|json)$/;

/** The user's own team files, for every workspace, by name. */
export async function ownTeamFiles(folder: Uri): Promise<readonly Uri[]> {
  const entries = await entriesOf(folder);
  const names = entries.flatMap(([name, type]) => ((type & FileType.File) !== 0 && TEAM_FILE.test(name) ? [name] : []));
  return names.sort((a, b) => a.localeCompare(b)).map((name) => Uri.joinPath(folder, name));
}

/** Empty until there is a first team. */
async function entriesOf(folder: Uri): Promise<readonly [string, FileType][]> {
  try {
    return await workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}
