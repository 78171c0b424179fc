import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type AddedFiles, SensitiveFiles, type Tool } from "../engine/index.ts";
import {
  type AskEditor,
  type BackgroundCommands,
  type CommandGuard,
  FileEditor,
  type FileEditorOptions,
  type WebAccess,
  type Workspace,
  workspaceTools,
} from "../tools/index.ts";
import { withRealPath } from "./approvals/real-path.ts";
import { makeFolder } from "./store/private-files.ts";

/** Where a team works: folders, and the host's tools for them. */
export interface Workplace {
  readonly folders: Workspace & { readonly files: SensitiveFiles };
  readonly tools: ReadonlyMap<string, Tool>;
  /** Edits the files of these folders. */
  readonly editor: FileEditor;
  /** What limits commands there. */
  readonly guard: CommandGuard;
}

export interface WorkplacesOptions {
  /** The client's open folders. */
  readonly roots: () => readonly string[];
  /** Has the scratch folders; there are none if left out. */
  readonly scratchPath: string | undefined;
  /** Folders of Gavel itself, which no tool may use. */
  readonly ownFolders: readonly string[];
  readonly added: () => AddedFiles;
  readonly editor: FileEditorOptions;
  /** Asks the client, if it is an editor. */
  readonly ask: AskEditor;
  /** What limits the commands of the tools for these files. */
  readonly guard: (files: SensitiveFiles) => CommandGuard;
  readonly web: WebAccess;
  readonly commands: BackgroundCommands;
}

/** The folder in which teams work while the client has none open. */
const NO_FOLDER = "no-folder";

/**
 * Where each team works: in the client's folders or, for a team whose file is in a scratch folder, in that folder alone. A
 * client without a folder has a scratch folder in place of one.
 */
export class Workplaces {
  readonly window: Workplace;
  /** Edits files of every workplace, by their absolute paths. */
  readonly everywhere: FileEditor;
  readonly #options: WorkplacesOptions;
  readonly #scratch = new Map<string, Workplace>();
  readonly #teams = new Map<string, Workplace>();

  constructor(options: WorkplacesOptions) {
    this.#options = options;
    const { scratchPath, roots, editor } = options;
    const noFolder = scratchPath === undefined ? roots : folderMadeOnce(join(scratchPath, NO_FOLDER));
    this.window = this.#workplace(() => (roots().length > 0 ? roots() : noFolder()));
    const all = { roots: () => [...roots(), ...(scratchPath === undefined ? [] : [scratchPath])] };
    this.everywhere = new FileEditor(all, editor);
  }

  /** Where the team works, which is that of its file from now on. */
  opened({ teamId, uri }: { readonly teamId: string; readonly uri: string | undefined }): Workplace {
    const place = this.ofFile(uri);
    if (place === this.window) this.#teams.delete(teamId);
    else this.#teams.set(teamId, place);
    return place;
  }

  /** Where the team of a file works. */
  ofFile(uri: string | undefined): Workplace {
    const folder = this.#scratchFolder(uri);
    if (folder === undefined) return this.window;
    const paths = [folder];
    const known = this.#scratch.get(folder) ?? this.#workplace(() => paths);
    this.#scratch.set(folder, known);
    return known;
  }

  /** Where the team works, if that is a scratch folder. */
  scratchOf(teamId: string): Workspace | undefined {
    return this.#teams.get(teamId)?.folders;
  }

  /** The scratch folder that has the file: one directly in the path of all scratch folders. */
  #scratchFolder(uri: string | undefined): string | undefined {
    const { scratchPath } = this.#options;
    const file = uri === undefined || scratchPath === undefined ? undefined : pathOf(uri);
    if (file === undefined || scratchPath === undefined) return undefined;
    const [name, ...rest] = relative(scratchPath, file).split(sep);
    const isBelow = name !== undefined && name !== "" && name !== ".." && rest.length > 0;
    return isBelow && resolve(scratchPath, relative(scratchPath, file)) === file ? join(scratchPath, name) : undefined;
  }

  #workplace(roots: () => readonly string[]): Workplace {
    const { ownFolders, added, editor, guard, ask, web, commands } = this.#options;
    const files = new SensitiveFiles({
      roots: realPathsOf(roots),
      added,
      ownFolders: ownFolders.flatMap(withRealPath),
    });
    const folders = { roots, files };
    const ownEditor = new FileEditor(folders, editor);
    const limits = guard(files);
    const tools = workspaceTools(folders, ownEditor, { guard: limits, commands, ask, web });
    return { folders, tools, editor: ownEditor, guard: limits };
  }
}

/** The folders as given and, where that is another path, with links resolved: once for each list of folders. */
function realPathsOf(roots: () => readonly string[]): () => readonly string[] {
  let known: { readonly given: readonly string[]; readonly real: readonly string[] } | undefined;
  return () => {
    const given = roots();
    if (known?.given !== given) known = { given, real: given.flatMap(withRealPath) };
    return known.real;
  };
}

/** A folder that is made when it is first used. If it cannot be made, the tools say that it cannot be read. */
function folderMadeOnce(folder: string): () => readonly string[] {
  const paths = [folder];
  let isMade = false;
  return () => {
    if (isMade) return paths;
    isMade = true;
    try {
      makeFolder(folder);
    } catch {
      // A tool that uses it says what is wrong.
    }
    return paths;
  };
}

function pathOf(uri: string): string | undefined {
  try {
    return resolve(fileURLToPath(uri));
  } catch {
    return undefined;
  }
}
