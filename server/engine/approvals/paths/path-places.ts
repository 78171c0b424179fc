/** An open folder. */
export interface WorkspaceRoot {
  /** Its name at the start of paths, as `label/path`. */
  readonly label: string;
  /** Absolute, with links resolved and `/` between folders. */
  readonly path: string;
}

/** Where the paths of calls and rules lead. */
export interface PathPlaces {
  /** The open folders; commands run in the first. Without any, relative paths stay relative. */
  readonly roots: readonly WorkspaceRoot[];
  /** The user's own folder, for `~`; absolute. */
  readonly home?: string | undefined;
  /**
   * Resolves links in an absolute path, from left to right: `..` leads to the folder above the target of a link, as for
   * programs. Returns it with `/` between folders.
   */
  readonly realPath: (path: string) => string;
}

/** Without folders and links. */
export const NO_PLACES: PathPlaces = { roots: [], realPath: (path) => normalizePath(path) };

export const isAbsolutePath = (path: string): boolean => /^(?:\/|[A-Za-z]:)/.test(path);

/**
 * A path with `/` and without `.` and inner `..`: absolute, or relative to the workspace; `../x` for one that leads out of
 * it. A relative path is resolved against `folder`.
 */
export function normalizePath(path: string, folder = ""): string {
  const slashed = path.replaceAll("\\", "/");
  const isRooted = isAbsolutePath(slashed) || slashed.startsWith("~");
  const whole = isRooted || folder === "" ? slashed : `${folder}/${slashed}`;
  const root = /^(?:[A-Za-z]:)?\//.exec(whole)?.[0] ?? "";
  const parts: string[] = [];
  for (const part of whole.slice(root.length).split("/")) {
    if (part === "" || part === ".") continue;
    const last = parts.at(-1);
    // The folder above `~` is not the workspace.
    const isHome = parts.length === 1 && last?.startsWith("~");
    if (part === ".." && last !== undefined && last !== ".." && !isHome) parts.pop();
    else if (part !== ".." || root === "") parts.push(part);
  }
  return root + parts.join("/") || ".";
}

/** An absolute path from `folder`, empty for the folder itself; undefined when it is not within the folder. */
export function pathWithin(folder: string, path: string): string | undefined {
  if (path === folder) return "";
  const start = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}

/** `~` and what is below it, in the user's own folder; any other path as it is. */
export function expandHome(path: string, { home }: PathPlaces): string {
  return home === undefined ? path : path.replace(/^~(?=[/\\]|$)/, home);
}

/**
 * The absolute paths that a path in a call may mean, with links resolved: `..` may be taken from the name or from a link's
 * target, and with several roots the first name may be that of a root. As it is, normalized, when there is no root.
 */
export function possiblePaths(path: string, places: PathPlaces): readonly string[] {
  const expanded = expandHome(path.replaceAll("\\", "/"), places);
  return [...new Set(wholePaths(expanded, places).flatMap((whole) => bothWays(whole, places)))];
}

function wholePaths(path: string, { roots }: PathPlaces): readonly string[] {
  const [first] = roots;
  if (isAbsolutePath(path) || path.startsWith("~") || first === undefined) return [path];
  const [name = "", ...rest] = path.replace(/^(?:\.?\/)+/, "").split("/");
  const named = roots.filter(({ label }) => label === name).map((root) => [root.path, ...rest].join("/"));
  return [`${first.path}/${path}`, ...(roots.length > 1 ? named : [])];
}

function bothWays(path: string, { realPath }: PathPlaces): readonly string[] {
  const normal = normalizePath(path);
  if (!isAbsolutePath(normal)) return [normal];
  return /(?:^|\/)\.\.(?:\/|$)/.test(path) ? [realPath(normal), realPath(path)] : [realPath(normal)];
}

/** The path as the workspace shows it: from its root, after the root's name if there are several; else absolute. */
export function shownPath(path: string, { roots }: PathPlaces): string {
  for (const root of roots) {
    const below = pathWithin(root.path, path);
    if (below === undefined) continue;
    if (roots.length === 1) return below === "" ? "." : below;
    return below === "" ? root.label : `${root.label}/${below}`;
  }
  return path;
}
