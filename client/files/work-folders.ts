import { Uri, workspace } from "vscode";

/** A folder in which a team works. */
export interface WorkFolder {
  readonly name: string;
  readonly uri: Uri;
}

/** Where one team works. */
export interface TeamFolders {
  readonly folders: readonly WorkFolder[];
  /** A scratch folder, which is no part of the workspace. */
  readonly isScratch: boolean;
}

/** The folders that this window has open. */
export const openFolders = (): readonly WorkFolder[] => workspace.workspaceFolders ?? [];

/** The folder of all teams in a window without a folder; the host makes it. */
const NO_FOLDER = "no-folder";

/**
 * Where teams work, as the host has it: a team whose file is in a scratch folder works there, the others in the folders that
 * are open or, without one, in a scratch folder.
 */
export class WorkFolders {
  /** Has the scratch folders. */
  readonly scratch: Uri;
  /** Has the user's own team files, for every workspace. */
  readonly teams: Uri;

  constructor(globalStorage: Uri) {
    this.scratch = Uri.joinPath(globalStorage, "scratch");
    this.teams = Uri.joinPath(globalStorage, "teams");
  }

  /** Where a team works, by the URI of its file. */
  readonly of = (teamFile: string | undefined): TeamFolders => {
    const own = this.#scratchFolder(teamFile);
    if (own !== undefined) return { folders: [own], isScratch: true };
    const open = openFolders();
    return open.length > 0
      ? { folders: open, isScratch: false }
      : { folders: [this.#folder(NO_FOLDER)], isScratch: true };
  };

  /** The folders that may have team files: those that are open, and Gavel's own. */
  get ofTeamFiles(): readonly WorkFolder[] {
    const own = [this.scratch, this.teams].map((uri) => ({ name: uri.path.split("/").at(-1) ?? "", uri }));
    return [...openFolders(), ...own];
  }

  /** The path of a file in its scratch folder; undefined for a file that is in none. */
  scratchPath({ scheme, path }: Uri): string | undefined {
    const start = `${this.scratch.path}/`;
    if (scheme !== this.scratch.scheme || !path.startsWith(start)) return undefined;
    const [, ...rest] = path.slice(start.length).split("/");
    return rest.length === 0 ? undefined : rest.join("/");
  }

  #scratchFolder(teamFile: string | undefined): WorkFolder | undefined {
    const start = `${this.scratch.path}/`;
    const path = teamFile === undefined ? "" : Uri.parse(teamFile, true).path;
    const [name, ...rest] = path.startsWith(start) ? path.slice(start.length).split("/") : [];
    return name === undefined || name === "" || rest.length === 0 ? undefined : this.#folder(name);
  }

  #folder(name: string): WorkFolder {
    return { name, uri: Uri.joinPath(this.scratch, name) };
  }
}
