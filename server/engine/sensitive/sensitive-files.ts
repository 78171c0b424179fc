import { isAnchored, type PathEntry, PathTable, plainNames } from "./path-table.ts";
import { PROTECTED_FILES, type ProtectedFiles } from "./protected-files.ts";
import { SECRET_FILES, type SecretFiles } from "./secret-files.ts";

/** Globs that the user adds to the tables. */
export interface AddedFiles {
  readonly protectedFiles: readonly string[];
  readonly secretFiles: readonly string[];
}

export interface SensitiveFilesOptions {
  /** The open folders, absolute, with links resolved. What the folders above them are called does not matter. */
  readonly roots: () => readonly string[];
  readonly added?: () => AddedFiles;
  /** Folders of Gavel itself, absolute, with links resolved: its store and the user's approval rules. */
  readonly ownFolders?: readonly string[];
}

/** What the host writes in its own folders. */
const OWN_FILES = /^(?:gavel\.db.*|hosts|approvals\.json.*)$/;
const NOTHING_ADDED: AddedFiles = { protectedFiles: [], secretFiles: [] };

/** Says which files are protected, secret, or Gavel's own. Paths are absolute, or relative to an open folder. */
export class SensitiveFiles {
  readonly #options: SensitiveFilesOptions;
  #known: { readonly added: AddedFiles; readonly tables: Tables } | undefined;

  constructor(options: SensitiveFilesOptions) {
    this.#options = options;
  }

  /** For a file that leads to execution: a write needs the user's approval. */
  protectedFile(path: string): ProtectedFiles | undefined {
    return this.#find(path, ({ protectedFiles }) => protectedFiles);
  }

  /** For a file that holds secrets: any use needs the user's approval, and searches leave it out. */
  secretFile(path: string): SecretFiles | undefined {
    return this.#find(path, ({ secretFiles }) => secretFiles);
  }

  /**
   * True for Gavel's own storage, which no tool may read or write, whatever the user approves. An open folder in it, as
   * tests have, is not a part of it.
   */
  isOwn(path: string): boolean {
    const names = plainNames(this.#absolute(path));
    return (this.#options.ownFolders ?? []).some((folder) => {
      const own = plainNames(folder);
      const below = namesBelow(own, names);
      if (below === undefined) return false;
      const inner = this.#options
        .roots()
        .map(plainNames)
        .filter((root) => namesBelow(own, root) !== undefined);
      return OWN_FILES.test(below[0] ?? "") || inner.every((root) => namesBelow(root, names) === undefined);
    });
  }

  #find<Entry extends PathEntry>(path: string, table: (tables: Tables) => TablePair<Entry>): Entry | undefined {
    const { named, anchored } = table(this.#tables());
    return named.find(this.#inRoot(path)) ?? anchored.find(this.#absolute(path));
  }

  #absolute(path: string): string {
    const [root] = this.#options.roots();
    return root === undefined || isAnchored(path.replaceAll("\\", "/")) || path.startsWith("~")
      ? path
      : `${root}/${path}`;
  }

  #inRoot(path: string): string {
    const names = plainNames(path);
    for (const root of this.#options.roots()) {
      const below = isAnchored(path.replaceAll("\\", "/")) ? namesBelow(plainNames(root), names) : undefined;
      if (below !== undefined) return below.join("/");
    }
    return path;
  }

  #tables(): Tables {
    const added = this.#options.added?.() ?? NOTHING_ADDED;
    if (this.#known === undefined || !isSame(this.#known.added, added))
      this.#known = { added, tables: tablesWith(added) };
    return this.#known.tables;
  }
}

/** Names at any depth, and paths from the root of the file system. */
interface TablePair<Entry extends PathEntry> {
  readonly named: PathTable<Entry>;
  readonly anchored: PathTable<Entry>;
}

interface Tables {
  readonly protectedFiles: TablePair<ProtectedFiles>;
  readonly secretFiles: TablePair<SecretFiles>;
}

function tablesWith({ protectedFiles, secretFiles }: AddedFiles): Tables {
  const protectedWhy = "the setting gavel.protectedFiles names it";
  const secretWhy = "the setting gavel.secretFiles names it";
  return {
    protectedFiles: tablePair(PROTECTED_FILES, { why: protectedWhy, paths: protectedFiles }),
    secretFiles: tablePair(SECRET_FILES, { why: secretWhy, paths: secretFiles }),
  };
}

function tablePair<Entry extends PathEntry>(entries: readonly Entry[], added: Entry): TablePair<Entry> {
  const anchored = added.paths.filter(isAnchored);
  const named = added.paths.filter((path) => !isAnchored(path));
  return {
    named: new PathTable([{ ...added, paths: named }, ...entries]),
    anchored: new PathTable([{ ...added, paths: anchored }]),
  };
}

/** True for the same lists; a list that changes is replaced. */
const isSame = (one: AddedFiles, other: AddedFiles): boolean =>
  one.protectedFiles === other.protectedFiles && one.secretFiles === other.secretFiles;

/** The names after those of the folder; undefined for a path outside it. */
function namesBelow(folder: readonly string[], names: readonly string[]): readonly string[] | undefined {
  return folder.every((name, at) => names[at] === name) ? names.slice(folder.length) : undefined;
}
