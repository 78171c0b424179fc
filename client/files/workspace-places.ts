import { posix } from "node:path";

/** A workspace folder: its name, and the path of its URI. */
export interface Folder {
  readonly name: string;
  readonly path: string;
}

/** A path within the folder with this index. */
export interface Place {
  readonly folder: number;
  readonly path: string;
}

/** Where a path may be. */
export interface Places {
  /** In the workspace, the likeliest first. */
  readonly within: readonly Place[];
  /** The absolute path of a path that leads outside all folders; it is meant where none of `within` exists. */
  readonly outside?: string;
}

/**
 * Where a path that a message writes may be: an absolute path, a path that starts with a folder's name, or a path relative
 * to a folder. `/src/a.js` may also mean the workspace's `src`.
 */
export function placesOf(path: string, folders: readonly Folder[]): Places {
  const absolute = absolutePath(path);
  if (absolute !== undefined) {
    const within = folders.flatMap((folder, index) => placeIn(absolute, folder, index));
    if (within.length > 0) return { within };
    return { within: isDrive(path) ? [] : relativeTo(path.slice(1), folders), outside: absolute };
  }
  const within = [...byName(path, folders), ...relativeTo(path, folders)];
  const first = folders[0];
  return within.length > 0 || first === undefined ? { within } : { within, outside: posix.join(first.path, path) };
}

const isDrive = (path: string): boolean => /^[a-z]:\//i.test(path);

/** As the path of a URI: drives are lower case, after a slash. */
function absolutePath(path: string): string | undefined {
  if (isDrive(path)) return `/${path.slice(0, 1).toLowerCase()}${posix.normalize(path.slice(1))}`;
  return path.startsWith("/") ? posix.normalize(path) : undefined;
}

function byName(path: string, folders: readonly Folder[]): Place[] {
  const [first, ...rest] = posix.normalize(path).split("/");
  return folders.flatMap(({ name }, folder) => (name === first ? [{ folder, path: rest.join("/") }] : []));
}

function relativeTo(path: string, folders: readonly Folder[]): Place[] {
  return folders.flatMap((folder, index) => placeIn(posix.join(folder.path, path), folder, index));
}

function placeIn(path: string, folder: Folder, index: number): Place[] {
  const rest = pathWithin(path, folder.path);
  return rest === undefined ? [] : [{ folder: index, path: rest }];
}

/** The rest of a path within a folder. Drives of Windows, and all within them, have no case. */
function pathWithin(path: string, folder: string): string | undefined {
  const start = folder.endsWith("/") ? folder : `${folder}/`;
  const [wanted, given] = /^\/[a-z]:\//i.test(start) ? [start.toLowerCase(), path.toLowerCase()] : [start, path];
  if (`${given}/` === wanted) return "";
  return given.startsWith(wanted) ? path.slice(start.length) : undefined;
}
