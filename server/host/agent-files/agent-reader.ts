import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../../shared/contract/errors.ts";
import { locateIn, readMemoryFile, type Workspace } from "../../tools/index.ts";

/** Reads the files that a team file names, all of them within the folders in which the team works. */
export interface AgentReader {
  /** The text of a file. @throws Error with a clause that says why it cannot be read. */
  read(path: string): Promise<string>;
  /** True if there is something of that path, which may not be readable. @throws as {@link read}. */
  has(path: string): Promise<boolean>;
  /** The names of the folders in a folder. @throws as {@link read}. */
  folders(path: string): Promise<readonly string[]>;
}

/** The longest file that is read, in characters. */
const MAX_FILE = 100 * 1024;

/** How many folders of a folder are looked at. */
const MAX_FOLDERS = 50;

/** Throws an Error with the reason for a file that the user's rules keep from models, by its path with links resolved. */
export type MayRead = (path: string) => Promise<void>;

/** @param uri the team file: paths that begin with `./` or `../` are relative to it, others to the folders. */
export function agentReader(workspace: Workspace, uri: string | undefined, mayRead: MayRead): AgentReader {
  const place = (path: string): string => {
    if (!/^\.\.?(?:\/|$)/.test(path)) return path;
    if (uri === undefined) throw new Error("is relative to a team file, and there is none");
    return resolve(dirname(fileURLToPath(uri)), path);
  };
  return {
    async read(path) {
      const text = await readMemoryFile(workspace, place(path), mayRead).catch(refused(path));
      if (text.length > MAX_FILE) throw new Error(`has more than ${MAX_FILE / 1024} KB; make it shorter`);
      return text;
    },
    async has(path) {
      const found = await locateIn(workspace, place(dirname(path))).catch(refused(path));
      return lstat(join(found.path, basename(path))).then(
        () => true,
        () => false,
      );
    },
    async folders(path) {
      const found = await locateIn(workspace, place(path)).catch(refused(path));
      const entries = await readdir(found.path, { withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
        .map(({ name }) => name)
        .sort()
        .slice(0, MAX_FOLDERS);
    },
  };
}

const refused = (path: string) => (error: unknown) => {
  const message = messageOf(error);
  throw new Error(message.includes(path) ? message : `"${path}" cannot be read: ${message}`);
};
